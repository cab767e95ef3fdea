/** A film in an app, and what was played of it: docs/senders.md. */
import 'react-native-get-random-values';
import { createSender, createTextStore, createView } from '@playmeter/client/sender';
import AsyncStorage from '@react-native-async-storage/async-storage';
import { useEffect, useRef } from 'react';
import { AppRegistry, AppState, Platform, StyleSheet } from 'react-native';
import Video from 'react-native-video';

const reports = 'https://media.example/collect/v1/beacons';
const kept = 'playmeter';
const answerLimitMs = 30_000;

/** One for the whole app, as soon as it knows what the run before has left. */
const sending = AsyncStorage.getItem(kept).then((left) =>
  createSender({
    post(body) {
      const limit = new AbortController();
      setTimeout(() => limit.abort(), answerLimitMs);
      return fetch(reports, { method: 'POST', body, signal: limit.signal });
    },
    store: createTextStore(left, (text) => void AsyncStorage.setItem(kept, text)),
    platform: { platform: Platform.OS, platformVersion: `${Platform.Version}` },
    refused: ({ videoKey }, { code, detail }) => console.warn(videoKey, code, detail),
    failed() {},
  }),
);

const newViewId = () => crypto.getRandomValues(new Uint32Array(4)).join('');

function TrackedVideo({ uri, videoKey }: { uri: string; videoKey: string }) {
  const look = useRef((_: object, _leaving?: boolean) => {});
  useEffect(() => {
    const state = { isPlaying: false, isBuffering: false, positionSeconds: 0, rate: 1 };
    const viewing = sending.then((sender) => createView(sender, { view: newViewId(), videoKey }));
    look.current = async (change, leaving) => {
      Object.assign(state, change);
      const { isPlaying, isBuffering, ...rest } = state;
      const view = await viewing;
      view.look({ playing: isPlaying && !isBuffering, ...rest }, leaving);
    };
    const app = AppState.addEventListener('change', (now) => look.current({}, now !== 'active'));
    return () => {
      app.remove();
      look.current({ isPlaying: false }, true);
    };
  }, [videoKey]);

  return (
    <Video
      source={{ uri }}
      style={StyleSheet.absoluteFill}
      controls
      onProgress={({ currentTime }) => look.current({ positionSeconds: currentTime })}
      onPlaybackStateChanged={({ isPlaying }) => look.current({ isPlaying })}
      onPlaybackRateChange={({ playbackRate }) => look.current({ rate: playbackRate })}
      onBuffer={({ isBuffering }) => look.current({ isBuffering })}
      onEnd={() => look.current({ isPlaying: false })}
    />
  );
}

const App = () => <TrackedVideo uri="https://media.example/film.mp4" videoKey="VIDEO_KEY" />;
AppRegistry.registerComponent('Film', () => App);
