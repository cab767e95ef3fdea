/** The main process sends: it outlives its windows, and keeps in a file what did not get through. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSender, createTextStore, createView, type View } from '@playmeter/client/sender';
import { app, BrowserWindow, ipcMain, net, type WebContents } from 'electron';

const reports = 'https://media.example/collect/v1/beacons';
const answerLimitMs = 30_000;

app.whenReady().then(() => {
  const file = join(app.getPath('userData'), 'playmeter.json');
  const left = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const sender = createSender({
    post: (body) =>
      net.fetch(reports, { method: 'POST', body, signal: AbortSignal.timeout(answerLimitMs) }),
    store: createTextStore(left, (text) => writeFileSync(file, text)),
    platform: {},
    refused: ({ videoKey }, { code, detail }) => console.warn(videoKey, code, detail),
    failed() {},
  });
  const views = new WeakMap<WebContents, View>();
  ipcMain.on('load', ({ sender: page }, videoKey) => {
    views.set(page, createView(sender, { view: randomUUID(), videoKey }));
  });
  ipcMain.on('look', ({ sender: page }, state, leaving) => views.get(page)?.look(state, leaving));

  const preload = join(__dirname, 'preload.js');
  new BrowserWindow({ webPreferences: { preload } }).loadFile('page.html');
});
