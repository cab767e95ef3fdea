import { CopyButton } from './copy-button.tsx';

/** What goes into a page of the site, ready to copy. */
export function EmbedCode({
  videoKey = 'YOUR_VIDEO_KEY',
}: {
  readonly videoKey?: string | undefined;
}) {
  const source = `${location.origin}/tracker.js`;
  const code = `<script async src="${source}" data-video-key="${videoKey}"></script>`;
  return (
    <div className="embed">
      <code className="block">{code}</code>
      <CopyButton text={code} />
    </div>
  );
}
