/** For dash.js 5: `import { observe } from '@playmeter/tracker/dashjs'`. */
import { hostOf, tell } from './tell.ts';

/** What is read of dash.js's `MediaPlayer`. */
export interface DashPlayer {
  getVideoElement(): HTMLMediaElement;
  getCurrentRepresentationForType(type: 'video' | 'audio'): { bandwidth: number } | null;
  // biome-ignore lint/suspicious/noExplicitAny: dash.js types each event on its own
  on(event: any, listener: (event: any) => void): void;
}

/** Call it once, after `initialize`. */
export function observe(player: DashPlayer): void {
  player.on('fragmentLoadingCompleted', ({ request }: { request?: { url?: string } }) => {
    const kinds = ['video', 'audio'] as const;
    const rates = kinds.map((kind) => player.getCurrentRepresentationForType(kind)?.bandwidth ?? 0);
    const bitrate = rates.reduce((sum, rate) => sum + rate) || undefined;
    tell(player.getVideoElement(), {
      bitrate,
      ...(request?.url && { mediaHost: hostOf(request.url) }),
    });
  });
  // dash.js tells an error only once it has given up.
  player.on('error', ({ error }: { error: { code?: number } | string }) => {
    const code = typeof error === 'string' ? error : error.code;
    tell(player.getVideoElement(), { error: `${code}` });
  });
}
