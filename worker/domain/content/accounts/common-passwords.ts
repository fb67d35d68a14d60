import { operator } from '#shared/operator';
import { isPopular } from '#worker/security/popular-passwords';

/**
 * Passwords that are tried first, beside the most frequent ones (security/popular-passwords) and those made of a common
 * word, a row of keys or one's own name. The minimum is twelve characters, so only long ones matter.
 */
const KNOWN = new Set(
  `098765432109 147258369147 987654321000 abcd12345678 abcdefgh1234 correcthorsebatterystaple happybirthday iloveyouforever
  iloveyousomuch letmeinplease nopasswordhere temporarypassword test12345678 thisisapassword trustno1trustno1`.split(
    /\s+/,
  ),
);

/** Each with a year, some digits or a sign is tried early. */
const WORDS = new RegExp(
  `administrator|password|passwort|temp|user|qwerty|letmein|welcome|iloveyou|admin|secret|changeme|monkey|dragon|football|sunshine|baseball|superman
  starwars|princess|computer|internet|default|liverpool|barcelona|charlie|michael|jennifer|jessica|ashley|mustang|pokemon
  minecraft|whatever|helloworld|goodmorning|christmas|summer|winter|spring|autumn`.replace(/\s+/g, '|'),
);
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '1qaz2wsx3edc4rfv'];

/** Reads characters that stand for letters as those letters. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's');

const isRun = (text: string): boolean =>
  ROWS.some((row) => {
    const there = row + row;
    const back = Array.from(there).reverse().join('');
    return there.includes(text) || back.includes(text);
  });

/** Letters that must be left of a password without its guessable parts. */
const LEAST = 5;

/** For shared/password-rule: whether a password would be tried early. `own` are words that stand for its owner. */
export const isGuessable =
  (...own: string[]) =>
  (password: string): boolean =>
    isCommonPassword(password, [...own, operator.name]);

function isCommonPassword(password: string, own: string[]): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  const joined = lower.replace(/\s+/g, '');
  if (KNOWN.has(joined) || isPopular(joined) || new Set(lower).size < LEAST || isRun(lower)) return true;
  // One short piece, repeated.
  if (/^(.{1,6}?)\1+.{0,3}$/u.test(lower)) return true;
  const words = own.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 3);
  // A year at either end stands for no letters.
  const spelt = plain(lower.replace(/^[\d\s]+|[\d\s!?.]+$/g, ''));
  const rest = [...words, ...words.map(plain)].reduce((text, word) => text.replaceAll(word, ''), spelt);
  const worth = rest.replace(new RegExp(WORDS, 'g'), '').replace(/[^\p{L}]+/gu, '');
  return worth.length < LEAST && (rest.length < spelt.length || WORDS.test(spelt));
}
