/** Which passwords are taken: NIST SP 800-63B, a length and none that guessers try first. */
import { parameterFault } from '../../wire/parameters.ts';

export const leastPasswordLength = 10;
/** Longer ones gain nothing and take time to hash. */
export const mostPasswordLength = 200;

/** What most common passwords are made of, once digits and signs around them are taken away. */
const common = new Set(
  `abcdefghij abcdefgh abcdef abcabc access account admin administrator adminadmin amanda andrew angel
  apple asdf asdfasdf asdfgh asdfghjkl asdfghjk ashley baseball basketball batman butterfly charlie
  changeme changeit chelsea chocolate computer cookie correcthorsebatterystaple daniel default demo
  dragon facebook family flower football forever freedom friend fuckyou ginger google guest hannah
  harley hello helloworld hockey hunter iloveyou iloveu internet jennifer jessica jordan joshua
  justin killer lakers letmein letmeinnow liverpool login loveme lovely love manager master matrix
  maverick michael michelle monkey mustang myspace naruto nicole ninja nothing password
  passwordpassword passw passwd pass passphrase patrick pepper player playmeter please pokemon
  princess private purple qazwsx qazwsxedc qwe qweasd qweasdzxc qwer qwerty qwertyu qwertyui qwertyuiop
  qwertyqwerty ranger robert root samsung samantha secret server shadow soccer spiderman starwars
  steelers summer sunshine superman superuser support sweet system temp temporary test testing
  testtest thomas thunder tigger trustno trustnoone user username victoria video videos welcome
  whatever william winter yankees yellow zaq zaqwsx zxcvbn zxcvbnm zxczxc
  qlalfqjsgh dkssud tkfkdgo`.split(/\s+/),
);

const letterOf: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
};

/** `own`: what anybody knows of the person. Throws INVALID_PARAMETER. */
export function requireGoodPassword(
  password: string,
  own: { readonly email: string | undefined; readonly name: string },
): void {
  const detail = findComplaint(password, own);
  if (detail !== undefined) throw parameterFault([{ parameter: 'password', detail }]);
}

function findComplaint(
  password: string,
  own: { readonly email: string | undefined; readonly name: string },
): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  const { length } = [...text];
  if (length < leastPasswordLength) return `must be at least ${leastPasswordLength} characters`;
  if (length > mostPasswordLength) return `must be at most ${mostPasswordLength} characters`;
  if (new Set(text).size < 5) return 'must have more different characters';
  const isSequence = '01234567890123456789'.includes(text) || '98765432109876543210'.includes(text);
  if (isSequence) return 'is among the first that are guessed';
  const known = [own.email ?? '', (own.email ?? '').split('@')[0] ?? '', own.name]
    .map((one) => one.toLowerCase().replaceAll(/\s/g, ''))
    .filter((one) => one.length >= 4);
  const isCommon = listCores(text).some((core) => common.has(core) || known.includes(core));
  return isCommon ? 'is among the first that are guessed' : undefined;
}

/** Without what people put before and after a word, and with the letters that signs stand for. */
function listCores(text: string): string[] {
  const bare = text.replaceAll(/\s/g, '');
  const spelled = [...bare].map((sign) => letterOf[sign] ?? sign).join('');
  const cut = (one: string) => one.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const core = cut(bare);
  const spelledCore = [...core].map((sign) => letterOf[sign] ?? sign).join('');
  const words = [bare, spelled, core, cut(spelled), spelledCore];
  // The same word twice is no better than once.
  const halves = words.map((one) => one.slice(0, one.length / 2));
  return [...words, ...halves.filter((half, index) => half + half === words[index])];
}
