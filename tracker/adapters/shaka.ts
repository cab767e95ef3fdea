/** For Shaka Player 5: `import { observe } from '@playmeter/tracker/shaka'`. */
import { hostOf, tell } from './tell.ts';

/** What is read of `shaka.Player`. */
export interface ShakaPlayer {
  getMediaElement(): HTMLMediaElement | null;
  getVariantTracks(): readonly { readonly active: boolean; readonly bandwidth: number }[];
  getNetworkingEngine(): {
    registerResponseFilter(filter: (type: number, response: { uri: string }) => void): void;
  } | null;
  // biome-ignore lint/suspicious/noExplicitAny: Shaka Player types events as its own
  addEventListener(type: string, listener: (event: any) => void): void;
}

/** Of `shaka.net.NetworkingEngine.RequestType`. */
const segmentRequest = 1;
/** Of `shaka.util.Error.Severity`. */
const critical = 2;

/** Call it once. What `load()` rejects with is no event: pass it on by `observe(player).fail`. */
export function observe(player: ShakaPlayer): { fail(error: { code: number }): void } {
  const fail = ({ code }: { code: number }) => tell(player.getMediaElement(), { error: `${code}` });
  const look = () => {
    const active = player.getVariantTracks().find((track) => track.active);
    tell(player.getMediaElement(), { bitrate: active?.bandwidth });
  };
  for (const type of ['adaptation', 'variantchanged', 'trackschanged']) {
    player.addEventListener(type, look);
  }
  player.addEventListener('error', ({ detail }: { detail: { code: number; severity: number } }) => {
    if (detail.severity === critical) fail(detail);
  });
  player.getNetworkingEngine()?.registerResponseFilter((type, { uri }) => {
    if (type === segmentRequest) tell(player.getMediaElement(), { mediaHost: hostOf(uri) });
  });
  return { fail };
}
