/** The real tracker on a package that requires signed views sends the token of the page. */
import { afterAll, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { claimsFor, tokenOf } from '../support/view-token.ts';
import type { FreshVideo } from './counted.ts';
import { addFreshVideo, expectNothingMore, expectOnePlay } from './counted.ts';
import { type Site, startSite } from './site.ts';
import { closePages, useDashboard } from './use-dashboard.ts';

let service: TestService;
let site: Site;
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  site = await startSite(service.url);
});
afterAll(async () => {
  await closePages(stage().browser);
  await expectNothingMore(service);
  await site?.close();
});

interface SignedVideo extends FreshVideo {
  /** As the site's server would write it into a page. */
  readonly token: string;
}

async function addSignedVideo(): Promise<SignedVideo> {
  const video = await addFreshVideo(service);
  const { key, accountId } = video.account;
  const [pack] = await service.catalog.packages.list(accountId);
  await service.catalog.packages.change(accountId, pack?.packageId ?? 0, { signing: 'require' });
  const headers = { 'x-api-key': key };
  const made = await service.request('/manage/v1/signing-keys', { method: 'POST', headers });
  const { secret } = (await made.json()) as { secret: string };
  return { ...video, token: tokenOf(claimsFor(video.videoKey, Date.now()), secret) };
}

/** Plays for two seconds; how long the media advanced. */
async function watch({ videoKey, token }: SignedVideo): Promise<number> {
  const page = await stage().openAsViewer(`${site.url}/found.html`);
  await page.waitForFunction(() => window.addScript);
  await page.evaluate(
    async (given) => {
      const video = window.createVideo(given.videoKey);
      video.dataset.token = given.token;
      document.body.append(video);
      window.videos = { video };
      await window.addScript({});
    },
    { videoKey, token },
  );
  // The tracker sends when it is paused. The page stays open: what is sent while it is left has the
  // User-Agent of a headless browser.
  return page.evaluate(async () => {
    const video = window.videos.video as HTMLVideoElement & { measured(): number };
    await video.play();
    while (video.measured() < 2_000) await new Promise((next) => setTimeout(next, 20));
    video.pause();
    return video.measured();
  });
}

/** Refused beacons, by reason. */
async function refusedOf({ account }: FreshVideo): Promise<Record<string, number>> {
  const today = new Date().toISOString().slice(0, 10);
  const day = `sdate=${today}&edate=${today}`;
  const answer = await service.get(`/manage/v1/ledger?${day}`, account.key);
  const { list } = (await answer.json()) as { list: { refused: Record<string, number> }[] };
  const reasons = Object.entries(list[0]?.refused ?? {});
  return Object.fromEntries(reasons.filter(([, beacons]) => beacons > 0));
}

test('with the token it is one play', async () => {
  const video = await addSignedVideo();
  await expectOnePlay(service, video, await watch(video));
  expect(await refusedOf(video)).toEqual({});
});
