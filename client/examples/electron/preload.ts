/** What the page may say to the main process. */
import type { PlayerState } from '@playmeter/client/sender';
import { contextBridge, ipcRenderer } from 'electron';

const playmeter = {
  load: (videoKey: string) => ipcRenderer.send('load', videoKey),
  look: (state: PlayerState, leaving: boolean) => ipcRenderer.send('look', state, leaving),
};
export type Playmeter = typeof playmeter;

contextBridge.exposeInMainWorld('playmeter', playmeter);
