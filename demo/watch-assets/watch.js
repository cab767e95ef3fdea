/** The page that plays a video of the account and shows the numbers it causes. */
import { track } from '../tracker.mjs';
import { videosOf } from './account.js';
import { keepAsking } from './ask.js';
import { element } from './element.js';
import { forgetKey, keepKey, takeKey } from './key.js';
import { showAnswer, showKeyWanted, showTrouble, showVideos } from './show.js';
import { say } from './words.js';

const base = new URL('../', import.meta.url);
const [, videoKey = ''] = /\/watch\/([^/]+)$/.exec(decodeURIComponent(location.pathname)) ?? [];

const video = element('video', HTMLVideoElement);
const form = element('key-form', HTMLFormElement);

/** So that the numbers grow while one watches; the tracker's own pace is ten seconds. */
const heartbeatMs = 1000;

const startView = () => track(video, { url: base.href, videoKey, heartbeatMs });

let isMissing = videoKey === '';
if (!isMissing) {
  startView();
  video.addEventListener('error', () => {
    isMissing = true;
    listVideos();
  });
  video.src = new URL(`content/${encodeURIComponent(videoKey)}`, base).href;
}

element('again').addEventListener('click', () => {
  startView();
  video.currentTime = 0;
  video.play().catch(() => {});
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const input = element('key', HTMLInputElement);
  keepKey(input.value.trim());
  input.value = '';
  start();
});

if (isMissing) listVideos();
start();

/** In the place of a video that is not here, those of the account that are. */
async function listVideos() {
  const key = takeKey();
  showVideos(videoKey, key === '' ? undefined : await videosOf(base, key), base);
}

function start() {
  const key = takeKey();
  form.hidden = key !== '';
  if (key === '') {
    showKeyWanted(say('enterKey'), false);
    return;
  }
  if (isMissing) listVideos();
  keepAsking(base, key, {
    onAnswer: showAnswer,
    onTrouble: showTrouble,
    onKeyRefused(message) {
      forgetKey();
      form.hidden = false;
      showKeyWanted(message, true);
    },
  });
}
