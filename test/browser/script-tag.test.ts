/** Which videos of a page the script tag finds, and under which keys they count. */
import { expect } from 'vitest';
import type { Page } from '../support/browser.ts';
import { expectReportedMs, type Stage, useStage } from './stage.ts';

// At once: each of them mostly plays.
const test = useStage().concurrent;

interface MeasuredVideo extends HTMLVideoElement {
  measured: { (): number; began(): number };
}

/** What `found.html` puts on its window, and the tests beside it. */
declare global {
  var createVideo: (videoKey?: string) => MeasuredVideo;
  var addScript: (attributes: Record<string, string>, src?: string, type?: string) => Promise<void>;
  /** Those that the test plays, by the key they are to count under. */
  var videos: Record<string, MeasuredVideo>;
}

async function openPage(stage: Stage): Promise<Page> {
  const page = await stage.open('/found.html');
  await page.waitForFunction(() => window.addScript);
  return page;
}

/** Plays all of `window.videos` for a second; each is to be one view under its key. */
async function expectEachCounted(stage: Stage, page: Page): Promise<void> {
  await playAll(page);
  const measured = await page.evaluate(() =>
    Object.entries(window.videos).map(([key, video]) => [key, video.measured()] as const),
  );
  for (const [key, measuredMs] of measured) {
    await expectReportedMs(stage, measuredMs, key);
    expect(stage.recorder.views(key)).toBe(1);
  }
  expect(stage.recorder.views()).toBe(measured.length);
}

async function playAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const all = Object.values(window.videos);
    const goals = all.map((video) => video.measured() + 1_000);
    await Promise.all(all.map((video) => video.play()));
    while (all.some((video, index) => video.measured() < (goals[index] ?? 0))) {
      await new Promise((next) => setTimeout(next, 20));
    }
    for (const video of all) video.pause();
  });
}

test('the audience is that of the element with the key, else that of the script', {
  tags: 'long',
}, async ({ stage }) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    const own = window.createVideo('own');
    Object.assign(own.dataset, { viewer: '', labels: 'course=algebra', token: 'a.b.c' });
    // As frameworks write it: no identity of a view.
    own.dataset.view = 'video';
    window.videos = { own, general: window.createVideo() };
    document.body.append(...Object.values(window.videos));
    const general = { videoKey: 'general', token: 'd.e.f', labels: 'course=logic&level=2' };
    await window.addScript({ ...general, viewer: 'pupil-7', player: 'shop/2.1' });
  });
  await expectEachCounted(stage, page);
  expect(audienceOf(stage, 'own')).toEqual([
    { player: 'shop/2.1', labels: { course: 'algebra' }, token: 'a.b.c' },
  ]);
  expect(audienceOf(stage, 'general')).toEqual([
    {
      ...{ viewer: 'pupil-7', player: 'shop/2.1', token: 'd.e.f' },
      labels: { course: 'logic', level: '2' },
    },
  ]);
  expect(stage.recorder.stretches('own')[0]?.view).not.toBe('video');
});

/** What the beacons of a video say of its audience, each once. */
function audienceOf({ recorder }: Stage, videoKey: string): unknown[] {
  const said = recorder
    .stretches(videoKey)
    .map(({ viewer, player, labels, token }) => JSON.stringify({ viewer, player, labels, token }));
  return [...new Set(said)].map((text) => JSON.parse(text));
}

test('every video counts, under its own key, that of what is around it, or that of the script', async ({
  stage,
}) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    const figure = document.createElement('figure');
    figure.dataset.videoKey = 'around';
    window.videos = {
      own: window.createVideo('own'),
      around: window.createVideo(),
      general: window.createVideo(),
    };
    const { own, around, general } = window.videos;
    figure.append(around as Node);
    document.body.append(own as Node, figure, general as Node);
    await window.addScript({ videoKey: 'general' });
  });
  await expectEachCounted(stage, page);
});

test('videos that come later are found, also in open shadow roots inside each other', async ({
  stage,
}) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    await window.addScript({});
    const outer = document.createElement('div');
    const inner = document.createElement('div');
    outer.dataset.videoKey = 'inner';
    outer.attachShadow({ mode: 'open' }).append(inner);
    const root = inner.attachShadow({ mode: 'open' });
    const [first, second, third] = [
      window.createVideo(),
      window.createVideo('second'),
      window.createVideo('third'),
    ];
    window.videos = { inner: first, second, third };
    root.append(first);
    // A root that stands already, a tree with the video deep in it, and text beside it.
    document.body.append(outer);
    await new Promise((next) => setTimeout(next));
    root.append('text', second);
    const tree = document.createElement('section');
    tree.append(document.createElement('p'));
    tree.firstElementChild?.append(third);
    document.body.append(tree);
  });
  await expectEachCounted(stage, page);
});

test('a custom element that is defined later is found by the video in it, and counted once', {
  tags: 'long',
}, async ({ stage }) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    const shell = document.createElement('some-video');
    shell.dataset.videoKey = 'shell';
    const video = window.createVideo();
    window.videos = { shell: video };
    document.body.append(shell);
    await window.addScript({});
    // As mux-video and hls-video do: a shell with a media element's members and events.
    class Shell extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'open' }).append(video);
        for (const type of ['play', 'playing', 'timeupdate', 'pause']) {
          video.addEventListener(type, () => this.dispatchEvent(new Event(type)));
        }
      }
    }
    for (const name of ['currentTime', 'paused', 'seeking', 'readyState', 'playbackRate']) {
      Object.defineProperty(Shell.prototype, name, { get: () => Reflect.get(video, name) });
    }
    customElements.define('some-video', Shell);
    await customElements.whenDefined('some-video');
  });
  await expectEachCounted(stage, page);
});

test('a custom element that hides its video counts as a media element', { tags: 'long' }, async ({
  stage,
}) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    const video = window.createVideo();
    class Closed extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'closed' }).append(video);
        for (const type of ['play', 'playing', 'timeupdate', 'pause', 'seeking', 'emptied']) {
          video.addEventListener(type, () => this.dispatchEvent(new Event(type)));
        }
      }
    }
    // No `played`: not every imitation has it.
    const members = 'currentTime paused seeking ended readyState playbackRate duration';
    for (const name of members.split(' ')) {
      Object.defineProperty(Closed.prototype, name, { get: () => Reflect.get(video, name) });
    }
    customElements.define('closed-video', Closed);
    const shell = document.createElement('closed-video');
    shell.dataset.videoKey = 'closed';
    window.videos = { closed: video };
    document.body.append(shell);
    await window.addScript({});
  });
  await expectEachCounted(stage, page);
});

test('another key on the element is another view, the same key once more is not', async ({
  stage,
}) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    window.videos = { first: window.createVideo('first') };
    document.body.append(window.videos.first as Node);
    await window.addScript({});
  });
  await expectEachCounted(stage, page);
  const firstMs = await page.evaluate(() => window.videos.first?.measured() ?? 0);
  await page.evaluate(() => window.videos.first?.setAttribute('data-video-key', 'first'));
  await playAll(page);
  const bothMs = await page.evaluate(() => window.videos.first?.measured() ?? 0);
  expect(bothMs).toBeGreaterThan(firstMs);
  await expectReportedMs(stage, bothMs, 'first');
  expect(stage.recorder.views('first')).toBe(1);
  await page.evaluate(() => window.videos.first?.setAttribute('data-video-key', 'second'));
  await playAll(page);
  const allMs = await page.evaluate(() => window.videos.first?.measured() ?? 0);
  await expectReportedMs(stage, allMs - bothMs, 'second');
  await expectReportedMs(stage, bothMs, 'first');
  expect(stage.recorder.views()).toBe(2);
});

test('a video that is moved stays in its view, one that is gone for good is let go', {
  tags: 'long',
}, async ({ stage }) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    window.videos = { moved: window.createVideo('moved') };
    document.body.append(window.videos.moved as Node);
    await window.addScript({});
  });
  await playAll(page);
  await page.evaluate(async () => {
    window.videos.moved?.remove();
    await new Promise((next) => setTimeout(next, 50));
    document.body.append(window.videos.moved as Node);
  });
  await expectEachCounted(stage, page);
  const movedMs = await page.evaluate(async () => {
    const video = window.videos.moved;
    video?.remove();
    document.body.append(window.createVideo('next'));
    await new Promise((next) => setTimeout(next));
    return video?.measured() ?? 0;
  });
  // Out of the page it can still be played.
  await playAll(page);
  await expectReportedMs(stage, movedMs, 'moved');
  expect(stage.recorder.views()).toBe(1);
});

test.for(['before', 'after'])(
  'what the page tracks by itself, %s the script came, is left to the page',
  async (when, { stage }) => {
    const page = await openPage(stage);
    await page.evaluate(async (order) => {
      window.videos = { key: window.createVideo() };
      document.body.append(window.videos.key as Node);
      if (order === 'after') await window.addScript({ videoKey: 'general' });
      window.track(window.videos.key, window.options);
      if (order === 'before') await window.addScript({ videoKey: 'general' });
    }, when);
    await expectEachCounted(stage, page);
  },
);

test('data-for chooses by the element or by what is around it', async ({ stage }) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    const host = document.createElement('div');
    host.className = 'film';
    const [around, own, other] = [
      window.createVideo('around'),
      window.createVideo('own'),
      window.createVideo('other'),
    ];
    own.className = 'film';
    host.attachShadow({ mode: 'open' }).append(around);
    document.body.append(host, own, other);
    window.videos = { around, own };
    await window.addScript({ for: '.film', videoKey: 'general' });
    await other.play();
  });
  await expectEachCounted(stage, page);
});

test('the build for older browsers reports what a browser of 2016 played', async ({ stage }) => {
  await stage.context.addInitScript(() => {
    for (const name of ['AbortSignal', 'customElements']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(Node.prototype, 'getRootNode');
    Reflect.deleteProperty(Object, 'getOwnPropertyDescriptors');
  });
  const page = await openPage(stage);
  await page.evaluate(async () => {
    window.videos = { older: window.createVideo() };
    document.body.append(...Object.values(window.videos), document.createElement('some-element'));
    await window.addScript({ videoKey: 'older', labels: 'a=b' }, '/tracker.es2015.js');
  });
  await expectEachCounted(stage, page);
  expect(audienceOf(stage, 'older')).toEqual([{ labels: { a: 'b' } }]);
});

test.for([
  { form: 'a module', type: 'module', src: '/tracker.js?v=2' },
  { form: 'a module under a name of the site', type: 'module', src: '/player-statistics.js' },
])('$form finds its tag, and so its attributes', async ({ type, src }, { stage }) => {
  const page = await openPage(stage);
  await page.route('**/player-statistics.js', (route) =>
    route.fallback({ url: `${stage.site.url}/tracker.js` }),
  );
  await page.evaluate(
    async (tag) => {
      window.videos = { general: window.createVideo() };
      document.body.append(...Object.values(window.videos));
      await window.addScript({ videoKey: 'general', player: 'shop/2.1' }, tag.src, tag.type);
    },
    { src, type },
  );
  await expectEachCounted(stage, page);
  expect(audienceOf(stage, 'general')).toEqual([{ player: 'shop/2.1' }]);
});

test('code that a tag manager evaluates finds the tag that it was taken from', async ({
  stage,
}) => {
  const page = await openPage(stage);
  await page.evaluate(async () => {
    window.videos = { general: window.createVideo() };
    const tag = document.createElement('script');
    Object.assign(tag, { src: '/tracker.js', type: 'text/plain' });
    Object.assign(tag.dataset, { url: window.options.url, videoKey: 'general' });
    document.body.append(...Object.values(window.videos), tag);
    const code = await (await fetch(tag.src)).text();
    // Not in the call itself: a script that runs now is none of ours.
    setTimeout(code);
  });
  await expectEachCounted(stage, page);
});

/** What the tracker says in the console of a page, from now on. */
function heardOn(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    const said = message.text();
    if (said.startsWith('playmeter:')) heard.push(`${message.type()} ${said}`);
  });
  return heard;
}

test.for([
  {
    mistake: 'no script tag',
    make: (): unknown => fetch('/tracker.js').then(async (code) => setTimeout(await code.text())),
    said: /^found no script: set data-url$/,
  },
  {
    mistake: 'no URL of a server',
    make: async () => {
      const script = document.createElement('script');
      script.text = await (await fetch('/tracker.js')).text();
      document.head.append(script);
    },
    said: /^found no script: set data-url$/,
  },
  {
    mistake: 'track() without a key',
    make: () => window.track(window.createVideo(), { url: window.options.url }),
    said: /^track\(video, { url, videoKey }\): no videoKey$/,
  },
  {
    mistake: 'track() without a video',
    make: () => window.track(null, window.options),
    said: /^track\(video, { url, videoKey }\): TypeError: .*null/,
  },
  {
    mistake: 'track() with a wrong URL',
    make: () => window.track(window.createVideo(), { ...window.options, url: 'https://' }),
    said: /^track\(video, { url, videoKey }\): TypeError: .*URL/,
  },
  {
    mistake: 'a URL where no server is',
    make: () => window.track(window.createVideo(), { ...window.options, url: '/nowhere' }),
    said: /^http:.*\/nowhere\/collect\/v1\/beacons fails: check URL, connect-src, blockers$/,
  },
  {
    mistake: 'a request that a policy or a blocker stops',
    make: () => {
      const policy = document.createElement('meta');
      Object.assign(policy, {
        httpEquiv: 'Content-Security-Policy',
        content: "connect-src 'none'",
      });
      document.head.append(policy);
      window.track(window.createVideo(), window.options);
    },
    said: /^http.* fails: check URL, connect-src, blockers$/,
  },
])('$mistake is said once, with what to do', async ({ mistake, make, said }, { stage, expect }) => {
  const page = await openPage(stage);
  const heard = heardOn(page);
  await page.evaluate(make as () => unknown);
  await expect.poll(() => heard).toHaveLength(1);
  // Each script of ours says it anew.
  if (!mistake.startsWith('no ')) await page.evaluate(make as () => unknown);
  // That of a second attempt is not said again: it would come within a second.
  await page.waitForTimeout(2_000);
  expect(heard).toEqual([expect.stringMatching(/^warning playmeter: /)]);
  expect(heard[0]?.replace('warning playmeter: ', '')).toMatch(said);
});

test('what the server refuses is said once, with its reason', async ({ stage, expect }) => {
  stage.recorder.behave({ kind: 'reject' });
  const page = await openPage(stage);
  const heard = heardOn(page);
  await page.evaluate(async () => {
    window.videos = { unknown: window.createVideo('unknown') };
    document.body.append(...Object.values(window.videos));
    await window.addScript({});
  });
  await playAll(page);
  await playAll(page);
  await expect.poll(() => stage.recorder.requests.flatMap(({ beacons }) => beacons).length).toBe(4);
  expect(heard).toEqual(['warning playmeter: unknown refused: VIDEO_UNKNOWN, unknown']);
});

test('data-debug shows each report', async ({ stage, expect }) => {
  const page = await openPage(stage);
  const heard = heardOn(page);
  await page.evaluate(async () => {
    window.videos = { shown: window.createVideo('shown'), quiet: window.createVideo('quiet') };
    (window.videos.shown as HTMLElement).dataset.debug = '';
    document.body.append(...Object.values(window.videos));
    await window.addScript({});
  });
  await expectEachCounted(stage, page);
  // The start, and the beginning and the end of what was played.
  expect(heard).toHaveLength(3);
  const stretches = heard.filter((text) => !text.includes('"waitMs"'));
  expect(stretches).toHaveLength(2);
  for (const text of stretches)
    expect(text).toMatch(/^log playmeter: \{.*"playMs":\d+,.*"videoKey":"shown"/);
});

test.for([
  { page: 'without a video', attributes: { videoKey: 'k' }, video: false, notices: 1 },
  { page: 'whose video has no key', attributes: {}, video: true, notices: 1 },
  { page: 'with a video', attributes: { videoKey: 'k' }, video: true, notices: 0 },
])('a page $page: $notices notice(s) after ten seconds', async (row, { stage, expect }) => {
  const page = await openPage(stage);
  const notices: string[] = [];
  page.on('console', (message) => notices.push(message.text()));
  await page.clock.install({ time: 0 });
  // Its time stands still but for what the test lets pass.
  await page.clock.pauseAt(1_000);
  await page.evaluate(async ({ attributes, video }) => {
    if (video) document.body.append(window.createVideo());
    await window.addScript(attributes);
  }, row);
  await page.clock.runFor(9_900);
  expect(notices).toEqual([]);
  await page.clock.runFor(200);
  await page.clock.runFor(60_000);
  await page.evaluate(() => console.log('end'));
  await expect.poll(() => notices.at(-1)).toBe('end');
  expect(notices.filter((text) => text.startsWith('playmeter: found no <video>'))).toHaveLength(
    row.notices,
  );
});
