/** What a key's holder writes into X-Forwarded-For to hide behind it in the audit. */
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { stranger } from './stranger.ts';
import { addVictim } from './victim.ts';

const real = '203.0.113.9';
/** What stands before the address that the proxy adds. */
const forgeries = [
  '',
  '10.1.2.3, ',
  'nobody at all, ',
  '<script>alert(1)</script>, ',
  "'; DROP TABLE audit; --, ",
  `${'x'.repeat(4_000)}, `,
  ', , ',
];

export const forwardedText: Attack = {
  name: 'forwarded-text',
  does: `Behind a proxy that adds the address with its port: changes with ${forgeries.length} forms of text in X-Forwarded-For`,
  wanted: 'the audit has the address that the proxy added, and nothing that the sender wrote',
  async strike(stage): Promise<Struck> {
    const target = await stage.start({ environment: { TRUST_PROXY: 'loopback' } });
    const { key } = await addVictim(target);
    const one = stranger(target, { address: stage.address() });
    const refused: string[] = [];
    for (const [number, forgery] of forgeries.entries()) {
      const folderName = `Changed ${number}`;
      const { status } = await one.send({
        method: 'POST',
        path: '/manage/v1/folders',
        headers: {
          ...{ 'x-api-key': key, 'content-type': 'application/json' },
          'x-forwarded-for': `${forgery}${real}:4711`,
        },
        body: JSON.stringify({ folderName }),
      });
      if (status !== 201) refused.push(`${JSON.stringify(forgery.slice(0, 20))} ${status}`);
    }
    const { text } = await one.send({
      path: '/manage/v1/audit?action=FOLDER_CREATED',
      headers: { 'x-api-key': key },
    });
    one.close();
    const { list } = JSON.parse(text) as { list: Entry[] };
    const noted = list
      .filter(({ after }) => after?.folderName?.startsWith('Changed'))
      .map(({ address }) => address ?? 'no address');
    const wrong = noted.filter((address) => address !== real);
    return {
      measured: `${noted.length} changes noted, of ${new Set(noted).size} address; refused: ${refused.join(', ') || 'none'}`,
      wrong: wrongIn({
        [`noted: ${JSON.stringify(wrong.map((each) => each.slice(0, 40)))}`]: wrong.length > 0,
        [`${noted.length} changes were noted`]: noted.length !== forgeries.length,
      }),
    };
  },
};

interface Entry {
  readonly address: string | null;
  readonly after: { readonly folderName?: string } | null;
}
