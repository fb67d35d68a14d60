import '#site/styles/parts/page/wordmark.css';

const NAME_PATH =
  'M5.53 0V-14.1H0.28V-16.73H13.74V-14.1H8.51V0ZM14.9 0V-11.83H17.72V0ZM14.8 -13.72V-16.73H17.84V-13.72ZM22.8 0.23Q21.61 0.23 20.83 -0.5Q20.05 -1.22 20.05 -2.81V-16.73H22.86V-3.36Q22.86 -2.83 23.11 -2.6Q23.35 -2.38 23.75 -2.38Q23.95 -2.38 24.17 -2.42Q24.4 -2.46 24.64 -2.53V-0.13Q24.16 0.06 23.67 0.14Q23.18 0.23 22.8 0.23ZM28.8 0.23Q27.61 0.23 26.83 -0.5Q26.05 -1.22 26.05 -2.81V-16.73H28.86V-3.36Q28.86 -2.83 29.11 -2.6Q29.35 -2.38 29.75 -2.38Q29.95 -2.38 30.17 -2.42Q30.4 -2.46 30.64 -2.53V-0.13Q30.16 0.06 29.67 0.14Q29.18 0.23 28.8 0.23ZM34.72 0 31.09 -11.83H34.09L36.14 -4.32L38.41 -11.83H40.84L43.1 -4.37L45.18 -11.83H48.19L44.54 0H42.01L39.64 -7.84L37.28 0ZM57.19 0 56.98 -1.88V-7.46Q56.98 -8.57 56.3 -9.12Q55.62 -9.67 54.43 -9.67Q53.48 -9.67 52.54 -9.3Q51.59 -8.93 50.83 -8.21L49.33 -10.1Q50.53 -11.15 51.83 -11.6Q53.14 -12.06 54.66 -12.06Q57.08 -12.06 58.43 -10.84Q59.78 -9.62 59.78 -7.46V0ZM53.57 0.23Q52.26 0.23 51.24 -0.25Q50.22 -0.73 49.64 -1.61Q49.07 -2.48 49.07 -3.64Q49.07 -4.64 49.49 -5.37Q49.91 -6.1 50.59 -6.49Q51.18 -6.85 51.93 -7Q52.68 -7.15 53.52 -7.15H57.22V-5.05H53.93Q53.52 -5.05 53.12 -4.98Q52.72 -4.91 52.42 -4.69Q52.18 -4.51 52.04 -4.24Q51.9 -3.97 51.9 -3.62Q51.9 -2.9 52.46 -2.48Q53.02 -2.05 53.95 -2.05Q54.78 -2.05 55.46 -2.42Q56.15 -2.78 56.56 -3.43Q56.98 -4.07 56.98 -4.88L57.78 -3.43Q57.48 -2.18 56.85 -1.37Q56.22 -0.55 55.38 -0.16Q54.54 0.23 53.57 0.23ZM63.04 4.88 65.41 -0.85 60.92 -11.83H64.02L66.91 -3.67L69.85 -11.83H72.9L66.1 4.88Z';

const VIEW_BOX = '0 0 100 27';

/** The name as outlines in Hanken Grotesk 650, so that it looks the same before the font is loaded. */
const Shapes = () => (
  <>
    <g className="wordmark-glyph" transform="translate(-6.2 -4.4)">
      <path d="M8 10h16M16 10v7a6 6 0 0 0 6 6" />
      <circle cx="23.4" cy="23" r="2.7" />
    </g>
    <path className="wordmark-name" transform="translate(27 21)" d={NAME_PATH} />
  </>
);

export function Wordmark() {
  return (
    <svg className="wordmark" viewBox={VIEW_BOX} width="100" height="27" role="img" aria-label="Tillway">
      <Shapes />
    </svg>
  );
}

/** A hidden symbol, for pages that show the wordmark more than once or draw it from a script. */
export function WordmarkSymbol() {
  return (
    <svg className="wordmark-symbol" aria-hidden="true">
      <symbol id="wordmark" viewBox={VIEW_BOX}>
        <Shapes />
      </symbol>
    </svg>
  );
}

/** Shows the page's `WordmarkSymbol`. */
export function WordmarkReference() {
  return (
    <svg className="wordmark" viewBox={VIEW_BOX} width="100" height="27" role="img" aria-label="Tillway">
      <use href="#wordmark" />
    </svg>
  );
}
