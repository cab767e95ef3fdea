import { CopyButton } from './copy-button.tsx';

interface EmbedCodeProps {
  readonly videoKey?: string | undefined;
  /** Of what it is, where there are several. */
  readonly name?: string;
}

/** What goes into a page of the site, ready to copy. */
export function EmbedCode({ videoKey = 'YOUR_VIDEO_KEY', name }: EmbedCodeProps) {
  const source = `${location.origin}/play.js`;
  const code = `<script async src="${source}" data-video-key="${videoKey}"></script>`;
  return (
    <div className="embed">
      <code className="block">{code}</code>
      <CopyButton text={code} name={name} />
    </div>
  );
}
