/** Plain, invented people, companies and services of each trade for the seeded world. */

export type Person = { firstname: string; lastname: string };

const firstNames = [
  'Marta',
  'Owen',
  'Priya',
  'Daniel',
  'Aisha',
  'Lukas',
  'Hannah',
  'Mateo',
  'Ivy',
  'Samuel',
  'Renée',
  'Theo',
  'Yuki',
  'Carmen',
  'Noah',
  'Zsófia',
];
const lastNames = [
  'Nunez',
  'Whitfield',
  'Raman',
  'Kowalski',
  'Bello',
  'Brandt',
  'Sorensen',
  'Alvarez',
  'Hartley',
  'Osei',
  'Tran',
  'Delacroix',
  'Maddox',
];

/** Combines 16 first names with 13 last names, so the first 208 names are all different. */
export function personAt(index: number): Person {
  return {
    firstname: firstNames[index % firstNames.length] ?? 'Marta',
    lastname: lastNames[(index * 5 + Math.floor(index / 16)) % lastNames.length] ?? 'Nunez',
  };
}

const toAscii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase();

/** An address at example.com, which is reserved, so that no email reaches anyone. */
export const emailOf = (person: Person, index: number) =>
  `${toAscii(person.firstname)}.${toAscii(person.lastname)}${index < 208 ? '' : index}@example.com`;

export const companyNames = [
  'Nunez Studio LLC',
  'Whitfield Family Trust',
  'Raman Bakery',
  'Kowalski & Sons Roofing',
  'Bello Logistics',
  'Brandt Cycles',
  'Sorensen Design Office',
  'Alvarez Landscaping',
  'Hartley Books',
  'Osei Catering',
  'Tran Auto Repair',
  'Delacroix Violins',
  'Maddox Early Learning',
  'Riverbend Credit Union',
  'Fairmount Youth Soccer',
  'Blue Heron Coffee',
];

export const places = [
  { address: '418 Maple Street', city: 'Indianapolis', state: 'IN', zip: '46204' },
  { address: '27 Canal Walk, Suite 3', city: 'Carmel', state: 'IN', zip: '46032' },
  { address: '1960 Orchard Road', city: 'Fishers', state: 'IN', zip: '46038' },
  { address: '5 Depot Square', city: 'Zionsville', state: 'IN', zip: '46077' },
  { address: '8841 Lakeshore Drive', city: 'Noblesville', state: 'IN', zip: '46060' },
];

export type Treatment = { name: string; price: string; sku: string };

const treatment = (name: string, price: string, sku: string): Treatment => ({ name, price, sku });

export const treatments = {
  dental: [
    treatment('Adult cleaning and exam', '128.00', 'D1110'),
    treatment('Bitewing X-rays, four films', '74.50', 'D0274'),
    treatment('Composite filling, two surfaces', '246.25', 'D2392'),
    treatment('Fluoride varnish', '38.40', 'D1206'),
    treatment('Porcelain crown', '1184.00', 'D2740'),
    treatment('Sealant, per tooth', '52.75', 'D1351'),
    treatment('Night guard', '415.90', 'D9944'),
    treatment('Emergency visit', '96.00', 'D0140'),
    treatment('Periodontal scaling, one quadrant', '231.60', 'D4341'),
  ],
  physio: [
    treatment('Initial assessment, 60 min', '145.00', 'PT-60'),
    treatment('Manual therapy, 30 min', '82.50', 'PT-30'),
    treatment('Gait analysis', '119.75', 'PT-GA'),
    treatment('Dry needling', '64.20', 'PT-DN'),
    treatment('Resistance band set', '23.95', 'SH-RB'),
    treatment('Group rehab class', '31.00', 'PT-GR'),
  ],
  vet: [
    treatment('Wellness exam, dog', '68.00', 'VET-01'),
    treatment('Rabies vaccination', '29.50', 'VET-02'),
    treatment('Dental cleaning, cat', '312.40', 'VET-03'),
    treatment('Blood panel', '141.15', 'VET-04'),
    treatment('Flea and tick treatment, 3 months', '58.80', 'VET-05'),
    treatment('Microchip', '45.25', 'VET-06'),
  ],
} as const;

export type Trade = keyof typeof treatments;
