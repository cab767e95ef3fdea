/** Passwords and codes that are guessed; links and invitations that are guessed, doubled and taken. */
import { TOTP } from 'otpauth';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { all, type Stranger, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addAccount } from './victim.ts';

const password = 'three river stones';
const ofPages = { 'x-requested-with': 'playmeter', 'content-type': 'application/json' };
/** People beside keys: no other attack is to find them there. */
const ownService = { environment: { LOG_LEVEL: 'info' } };
/** A minute's tries for one person, twice: the attack may last longer than a minute. */
const mostTries = 20;

function post(one: Stranger, path: string, message: object, cookie = '') {
  return one.send({
    ...{ method: 'POST', path, headers: { ...ofPages, cookie }, body: JSON.stringify(message) },
  });
}

interface Person {
  readonly personId: number;
  readonly email: string;
  readonly cookie: string;
}

async function addPerson(target: Target, one: Stranger, name: string): Promise<Person> {
  const email = `${name}@example.com`;
  const made = await target.run('person', 'create', '--email', email, '--name', name);
  const link = String(made.link).split('#reset=')[1];
  const { headers } = await post(one, '/session/reset', { link, password });
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { personId: Number(made.personId), email, cookie };
}

export const guessedPasswords: Attack = {
  name: 'guessed-passwords',
  does: '600 wrong passwords of one person, from three addresses at once, and as many of an address that nobody has',
  wanted:
    'no more than ten a minute are looked at; nobody is told whether the person exists; the person comes in by a link meanwhile',
  async strike(stage): Promise<Struck> {
    const target = await stage.start(ownService);
    const home = stranger(target, { address: stage.address() });
    const kim = await addPerson(target, home, 'kim');
    const tries = stage.isLong ? 600 : 150;
    const guess = async (email: string) => {
      const guessers = [0, 1, 2].map(() => stranger(target, { address: stage.address() }));
      const answers = await all(Array(tries).keys(), 20, (number) => {
        const wrong = { email, password: `wrong ${number} wrong` };
        return post(guessers[number % 3] ?? home, '/session', wrong);
      });
      for (const one of guessers) one.close();
      return answers;
    };
    const ofKim = await guess(kim.email);
    const ofNobody = await guess('nobody@example.com');
    const { link } = await target.run('person', 'reset', '--person', String(kim.personId));
    const reset = { link: String(link).split('#reset=')[1], password };
    const came = await post(home, '/session/reset', reset);
    home.close();
    const texts = new Set([...ofKim, ...ofNobody].filter(is401).map(({ text }) => text));
    const [kims, nobodys] = [statusesOf(ofKim), statusesOf(ofNobody)];
    const looked = kims[401] ?? 0;
    return {
      measured:
        `of ${tries} tries ${looked} were looked at, ${JSON.stringify(kims)}; of an address that ` +
        `nobody has ${JSON.stringify(nobodys)}; by a link ${came.status}`,
      wrong: wrongIn({
        [`${looked} were looked at`]: looked === 0 || looked > mostTries,
        [`others were answered ${JSON.stringify(kims)}`]: looked + (kims[429] ?? 0) !== tries,
        'the answer tells who exists': texts.size !== 1,
        [`by a link ${came.status}`]: came.status !== 201,
      }),
    };
  },
};

const is401 = ({ status }: { readonly status: number }) => status === 401;

export const guessedCodes: Attack = {
  name: 'guessed-codes',
  does: '600 wrong codes beside the right password of a person with a second factor, from three addresses at once, then 150 recovery codes, and one that was used',
  wanted: 'no more than ten a minute are looked at, and none signs in',
  async strike(stage): Promise<Struck> {
    const target = await stage.start(ownService);
    const home = stranger(target, { address: stage.address() });
    const kim = await addPerson(target, home, 'kim');
    const used = await addSecondFactor(home, kim);
    const came = await post(home, '/session', { email: kim.email, password, code: used });
    const tries = stage.isLong ? 600 : 150;
    const guessers = [0, 1, 2].map(() => stranger(target, { address: stage.address() }));
    const answers = await all(Array(tries + 150).keys(), 20, (number) => {
      // The form of recovery codes; the last guess is the one that was used.
      const code =
        number < tries
          ? String(number).padStart(6, '0')
          : number === tries + 149
            ? used
            : `${String(number).padStart(5, 'a')}-zzzzz`;
      const guess = { email: kim.email, password, code };
      return post(guessers[number % 3] ?? home, '/session', guess);
    });
    const again = await post(home, '/session', { email: kim.email, password, code: used });
    for (const one of [home, ...guessers]) one.close();
    const statuses = statusesOf(answers);
    const looked = statuses[401] ?? 0;
    return {
      measured:
        `of ${tries + 150} codes ${looked} were looked at, ${JSON.stringify(statuses)}; a recovery ` +
        `code ${came.status}, once more ${again.status}`,
      wrong: wrongIn({
        [`${looked} were looked at`]: looked === 0 || looked > mostTries,
        // A code of six digits may be right by chance, once in a million of those looked at.
        [`answers ${JSON.stringify(statuses)}`]: looked + (statuses[429] ?? 0) !== tries + 150,
        [`a recovery code ${came.status}`]: came.status !== 201,
        [`the code that was used ${again.status}`]: again.status !== 401 && again.status !== 429,
      }),
    };
  },
};

/** Of a person who is signed in; one of the recovery codes. */
async function addSecondFactor(one: Stranger, { cookie }: Person): Promise<string> {
  const path = '/manage/v1/people/me/second-factor';
  const { secret } = JSON.parse((await post(one, path, { password }, cookie)).text);
  const body = JSON.stringify({ code: new TOTP({ secret }).generate() });
  const headers = { ...ofPages, cookie };
  const { text } = await one.send({ method: 'PUT', path, headers, body });
  return JSON.parse(text).recoveryCodes[0];
}

export const takenLinks: Attack = {
  name: 'taken-links',
  does: 'Reset links, links for another address and invitations: 300 guessed, one followed twenty times at once, a former one after a newer one, a link for an address followed twice, and an invitation taken by another member and by a stranger who says that they are the one',
  wanted: 'each link works once, the newest one alone, and for the address that was invited',
  async strike(stage): Promise<Struck> {
    const target = await stage.start(ownService);
    const one = stranger(target, { address: stage.address() });
    const account = await addAccount(target);
    const [kim, lee] = [await addPerson(target, one, 'kim'), await addPerson(target, one, 'lee')];
    const ofReset = async () => {
      const { link } = await target.run('person', 'reset', '--person', String(kim.personId));
      return String(link).split('#reset=')[1] ?? '';
    };
    const former = await ofReset();
    const link = await ofReset();
    const late = await post(one, '/session/reset', { link: former, password });
    const followers = Array.from({ length: 20 }, () =>
      stranger(target, { address: stage.address() }),
    );
    const followed = await Promise.all(
      followers.map((follower) => post(follower, '/session/reset', { link, password })),
    );
    const moving = ['person', 'email', '--person', String(kim.personId), '--email'];
    const moved = await target.run(...moving, 'kim@new.example');
    const email = { link: String(moved.link).split('#email=')[1] };
    const confirmed = [
      await post(one, '/session/email', email),
      await post(one, '/session/email', email),
    ].map(({ status }) => status);
    const invite = ['person', 'invite', '--account', String(account.accountId)];
    const invited = await target.run(...invite, '--email', 'kim@new.example', '--role', 'owner');
    const invitation = String(invited.link).split('#invitation=')[1] ?? '';
    const byLee = await post(one, '/session/acceptance', { invitation }, lee.cookie);
    const claim = {
      invitation,
      name: 'Mallory',
      email: 'kim@new.example',
      password: 'mallory stones',
    };
    const [follower = one] = followers;
    const byStranger = await post(follower, '/session/acceptance', claim);
    const guesser = stranger(target, { address: stage.address() });
    const guessed = await all(Array(300).keys(), 20, (number) => {
      const guess = number.toString(36).padStart(43, 'A');
      if (number % 3 === 0) return post(guesser, '/session/reset', { link: guess, password });
      if (number % 3 === 1) return post(guesser, '/session/email', { link: guess });
      return post(guesser, '/session/invitation', { invitation: guess });
    });
    for (const each of [one, guesser, ...followers]) each.close();
    const statuses = statusesOf(followed);
    const guesses = statusesOf(guessed);
    return {
      measured:
        `followed at once ${JSON.stringify(statuses)}; a former link ${late.status}; a link for ` +
        `an address ${confirmed.join(', then ')}; an invitation by another ` +
        `member ${byLee.status}, by a stranger ${byStranger.status}; guessed ` +
        JSON.stringify(guesses),
      wrong: wrongIn({
        [`a link worked ${statuses[201] ?? 0} times`]: statuses[201] !== 1,
        [`a former link ${late.status}`]: late.status !== 401,
        [`a link for an address ${confirmed}`]: `${confirmed}` !== '204,401',
        [`another member took the invitation: ${byLee.status}`]: byLee.status !== 403,
        [`a stranger took the invitation: ${byStranger.status}`]: byStranger.status !== 409,
        // Ten a minute; it may last longer than one.
        [`${guesses[401] ?? 0} guesses were looked up`]: (guesses[401] ?? 0) > mostTries,
        [`guesses were answered ${JSON.stringify(guesses)}`]: guesses[429] === undefined,
      }),
    };
  },
};
