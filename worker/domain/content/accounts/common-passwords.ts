import { operator } from '#shared/operator';
import { isPopular } from '#worker/security/popular-passwords';

/**
 * Passwords that are tried first. The minimum is twelve characters, so only long ones matter: those on every list, and
 * those made of a common word, a row of keys or one's own name.
 */
const KNOWN = new Set(
  `123123123123 1234567890123 123456789012 1234567891011 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc 123qweasdzxc
  qwertyuiop123 qwertyuiop12 qwertyuiop[] qwertyuiopasdf qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty
  asdfghjkl123 asdfasdfasdf zxcvbnm12345 zaq12wsxcde3 passwordpassword password1234 password12345 password123456
  password2020 password2021 password2022 password2023 password2024 password2025 password2026 mypassword123
  passw0rd1234 p@ssw0rd1234 administrator administrator1 adminadminadmin admin1234567 admin12345678 rootrootroot
  letmeinletmein letmein12345 letmeinplease welcome12345 welcomewelcome welcome123456 iloveyou1234 iloveyouforever
  iloveyousomuch iloveyou12345 trustno1trustno1 changemechangeme changeme1234 secretsecret secret123456 monkeymonkey
  dragondragon footballfootball football1234 baseball1234 basketball12 superman1234 batmanbatman starwars1234
  princess1234 sunshine1234 sunshine12345 computer1234 internet1234 abcdefghijkl abcdefghijklm abcdefghijklmnop
  abcdefgh1234 abcd12345678 abc123abc123 aaaabbbbcccc 111122223333 112233445566 121212121212 131313131313
  000000000000 111111111111 222222222222 666666666666 777777777777 888888888888 999999999999 987654321000
  098765432109 147258369147 159357159357 correcthorsebatterystaple thisisapassword
  thisismypassword nopasswordhere defaultpassword temporarypassword temppassword1 testtesttest test12345678
  guestguestguest userpassword1 manchesterunited liverpoolfc12 barcelona1234 charlie12345 michael12345 jennifer1234
  jessica12345 ashley123456 mustang12345 pokemonpokemon minecraft1234 whatever1234 hellohellohello helloworld123
  helloworld12 goodmorning1 happybirthday christmas2024 christmas2025 summer202024 winter202024 spring202024`.split(
    /\s+/,
  ),
);

const WORDS = /password|passwort|qwerty|letmein|welcome|iloveyou|admin|secret|changeme|monkey|dragon|football|sunshine/;
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
  const rest = [...words, ...words.map(plain)].reduce((text, word) => text.replaceAll(word, ''), plain(lower));
  const worth = rest.replace(new RegExp(WORDS, 'g'), '').replace(/[^\p{L}]+/gu, '');
  return worth.length < LEAST && (rest.length < plain(lower).length || WORDS.test(plain(lower)));
}
