/** A page of another site that lets its visitors' browsers report playback. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { personAt } from '../support/browser.ts';
import { startLocalServer } from '../support/local-server.ts';
import { type Attack, type Struck, wrongIn } from './attack.ts';
import { madeUpBeacon, stranger, strangersSystem } from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim, nothing, playbackOf, type Victim } from './victim.ts';

const ownSite = 'https://own.example';
const visitorsSystem = 'Linux';
const patienceMs = 2_000;

export const foreignPage: Attack = {
  name: 'foreign-page',
  does: 'A real browser visits a page of a site that the package does not allow: images, scripts, forms and requests to every address that collects, with and without a Referer',
  wanted: 'nothing is counted',
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target, { allowedOrigins: [ownSite] });
    const site = await startForeignSite(await pageOf(target, victim, stage.address()));
    const browser = await stage.browser();
    const context = await browser.newContext(personAt(browser));
    const page = await context.newPage();
    let answered = 0;
    page.on('response', () => {
      answered += 1;
    });
    // To the browser another site than 127.0.0.1, where the service is.
    await page.goto(`http://localhost:${site.port}/`);
    await page.evaluate('attack()');
    await sleep(patienceMs);
    await context.close();
    await site.close();
    const ofOwnSite = await reportFrom(ownSite, { target, victim, from: stage.address() });
    const playback = await playbackOf(target, victim);
    const counted = playback.get(visitorsSystem) ?? nothing;
    const ofOwn = playback.get(strangersSystem) ?? nothing;
    return {
      measured:
        `${answered} answers; ${counted.plays} plays, ${counted.seconds} s counted; of the allowed ` +
        `site ${ofOwn.plays} play`,
      wrong: wrongIn({
        [`${counted.plays} plays`]: counted.plays > 0,
        [`${counted.seconds} s`]: counted.seconds > 0,
        'the page sent next to nothing': answered < 10,
        [`the allowed site: ${ofOwnSite}, ${ofOwn.plays} plays`]: ofOwn.plays !== 1,
      }),
    };
  },
};

interface Reporting {
  readonly target: Target;
  readonly victim: Victim;
  readonly from: string;
}

/** The status of a beacon from a page of this site. */
async function reportFrom(origin: string, { target, victim, from }: Reporting): Promise<number> {
  const one = stranger(target, { address: from });
  const { status } = await one.send({
    method: 'POST',
    path: '/collect/v1/beacons',
    headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', origin },
    body: JSON.stringify({ beacons: [madeUpBeacon(victim.videoKey, 1_000)] }),
  });
  one.close();
  return status;
}

/** URLs that report an hour each: in a session made up, and in one that the service began. */
async function urlsOf(target: Target, victim: Victim, from: string): Promise<string[]> {
  const { accountId: gid, packageId: pid, videoId: vid, videoKey } = victim;
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString().replaceAll(/\D/g, '');
  const madeUp = () => ({ gid, pid, vid, uid: randomUUID(), cs: anHourAgo.slice(0, 14) });
  const one = stranger(target, { address: from });
  const { text } = await one.send({ path: `/v1/player/stats/info.json?k=${videoKey}` });
  one.close();
  const begun = JSON.parse(text).statsInfo ?? {};
  const playerLog = (session: object, range: object) => {
    const data = JSON.stringify({ e: 'vi', plid: 1, ...session, ...range });
    return `${target.url}/play/api/videoPlays?data=${encodeURIComponent(data)}`;
  };
  const events = [1, 2, 3].map((sn) => {
    const state = sn === 1 ? 's' : 'p';
    const at = Date.now() - 60_000 + sn * 15_000;
    return `e=ps,sid="${randomUUID()}",sn=${sn},sta=${state},ts=${at},v=2,msd=100`;
  });
  const cmcd = events.map(
    (event) => `${target.url}/collect/v1/cmcd/${videoKey}?CMCD=${encodeURIComponent(event)}`,
  );
  return [
    playerLog(madeUp(), { dst: 0, det: 3_600 }),
    playerLog(begun, { dst: 0, det: 200 }),
    playerLog({ ...begun, e: 'vs' }, {}),
    ...cmcd,
  ];
}

async function pageOf(target: Target, victim: Victim, from: string): Promise<string> {
  const urls = await urlsOf(target, victim, from);
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const { videoKey } = victim;
  const beacon = { view: randomUUID(), stretch: 0, at, playMs: 3_600_000, videoKey };
  const body = JSON.stringify({ beacons: [beacon] });
  const collect = `${target.url}/collect/v1/beacons`;
  return `<!doctype html><meta charset="utf-8"><title>A foreign site</title>
    <link rel="icon" href="data:,"><body><script>
    const urls = ${JSON.stringify(urls)};
    const collect = ${JSON.stringify(collect)};
    const body = ${JSON.stringify(body)};
    const policies = ['no-referrer', 'unsafe-url', ''];
    const add = (name, fields) =>
      document.body.append(Object.assign(document.createElement(name), fields));
    window.attack = async () => {
      for (const src of urls) {
        for (const referrerPolicy of policies) {
          add('img', { src: src + '&' + Math.random(), referrerPolicy });
          add('iframe', { src: src + '&' + Math.random(), referrerPolicy });
          add('script', { src: src + '&' + Math.random(), referrerPolicy });
          add('video', { src: src + '&' + Math.random() });
          await fetch(src, { referrerPolicy }).catch(() => {});
          await fetch(src, { mode: 'no-cors', referrerPolicy }).catch(() => {});
        }
      }
      for (const referrerPolicy of policies) {
        for (const mode of ['cors', 'no-cors']) {
          await fetch(collect, { method: 'POST', body, mode, referrerPolicy }).catch(() => {});
        }
      }
      navigator.sendBeacon(collect, body);
      // A sandboxed frame has the origin "null".
      const srcdoc = '<script>fetch("' + collect + '", { method: "POST", mode: "no-cors", body: ' +
        JSON.stringify(JSON.stringify(body)).slice(1, -1) + ' })<' + '/script>';
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = srcdoc;
      document.body.append(frame);
      // A form sends text as it is, with an equals sign at its end.
      const form = document.createElement('form');
      Object.assign(form, { action: collect, method: 'post', enctype: 'text/plain' });
      add('iframe', { name: 'answer' });
      form.target = 'answer';
      const field = document.createElement('input');
      field.name = body.slice(0, -1) + ',"x":"';
      field.value = '"}';
      form.append(field);
      document.body.append(form);
      form.submit();
    };
    </script>`;
}

function startForeignSite(page: string) {
  return startLocalServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page);
  });
}
