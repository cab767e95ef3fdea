/** The page that plays the clip and shows the numbers it causes. */
import { track } from '../tracker.mjs';
import { keepAsking } from './ask.js';
import { element } from './element.js';
import { forgetKey, keepKey, takeKey } from './key.js';
import { showAnswer, showKeyWanted, showTrouble } from './show.js';

const base = new URL('../', import.meta.url);
const videoKey = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');

const video = element('video', HTMLVideoElement);
const form = element('key-form', HTMLFormElement);

/** Numbers are to grow before one's eyes; the tracker's own pace is ten seconds. */
const heartbeatMs = 1000;

const startView = () => track(video, { url: base.href, videoKey, heartbeatMs });

startView();
video.addEventListener('error', () => {
  const broken = element('broken');
  broken.textContent = 'This clip could not be loaded. Is its address right, and its video public?';
  broken.hidden = false;
});
video.src = new URL(`content/${encodeURIComponent(videoKey)}`, base).href;

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

start();

function start() {
  const key = takeKey();
  form.hidden = key !== '';
  if (key === '') {
    showKeyWanted('Enter a key to see the numbers. The clip is counted without one.', false);
    return;
  }
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
