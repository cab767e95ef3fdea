/** From a film or a title to the first play that counts, in one dialog. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { Dialog } from '../frame/dialog.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { FilmStep } from './film-step.tsx';
import type { KnownVideo, Made, NewVideo, Published } from './new-video.ts';
import { PageStep } from './page-step.tsx';
import { PlaceStep } from './place-step.tsx';

interface AddVideoProps {
  /** Of a video that is in the library already. */
  readonly accessKey?: string | undefined;
  readonly folders: readonly Folder[];
  /** Where a new one goes unless somebody chooses otherwise; undefined if there is no folder. */
  readonly folder: Folder | undefined;
  readonly onClose: () => void;
}

export function AddVideo({ accessKey, ...others }: AddVideoProps) {
  return accessKey === undefined ? (
    <Flow {...others} />
  ) : (
    <Known {...others} accessKey={accessKey} />
  );
}

/** Begins where the video stands: without a package, or without a play. */
function Known({ accessKey, ...others }: AddVideoProps & { readonly accessKey: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['publish', accessKey],
    queryFn: async ({ signal }) => {
      const { title } = await server.manage.video(accessKey, { signal });
      const [first] = await server.manage.publicationsOf(accessKey, { signal });
      const video = { accessKey, title: title || accessKey, isKnown: true } as const;
      return { video, published: first && { ...video, videoKey: first.videoKey } };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data) return <Flow {...others} {...data} />;
  return (
    <Dialog title={accessKey} onClose={others.onClose}>
      {error ? <ErrorNote error={error} retry={refetch} /> : <Loading />}
    </Dialog>
  );
}

interface FlowProps extends Omit<AddVideoProps, 'accessKey'> {
  readonly video?: KnownVideo;
  readonly published?: Published | undefined;
}

const steps = ['add.film', 'add.place', 'add.page'] as const;

function Flow({ folders, folder, onClose, ...from }: FlowProps) {
  const { t } = useReader();
  const [video, setVideo] = useState<NewVideo | KnownVideo | undefined>(from.video);
  const [published, setPublished] = useState(from.published);
  const [at, setAt] = useState(from.published ? 2 : from.video ? 1 : 0);
  const [isMoved, setMoved] = useState(false);
  const [made] = useState<Made>(() => ({ packageIds: new Map(), accessKeys: new Map() }));
  const goTo = (step: number) => {
    setAt(step);
    setMoved(true);
  };
  return (
    <Dialog title={from.video?.title ?? t('add.title')} onClose={onClose}>
      <ol className="steps">
        {steps.map((name, index) => (
          <li key={name} aria-current={index === at ? 'step' : undefined}>
            {t(name)}
          </li>
        ))}
      </ol>
      {at === 0 && (
        <Step title={t('add.film.title')} isReached={isMoved}>
          <FilmStep
            video={video}
            onChoose={(one) => {
              setVideo(one);
              goTo(1);
            }}
          />
        </Step>
      )}
      {at === 1 && video && (
        <Step title={t('add.place.title', { title: video.title })} isReached={isMoved}>
          <PlaceStep
            {...{ video, folders, folder, made }}
            onBack={from.video ? undefined : () => goTo(0)}
            onPublish={(one) => {
              setPublished(one);
              goTo(2);
            }}
          />
        </Step>
      )}
      {at === 2 && published && (
        <Step title={t('add.page.title', { title: published.title })} isReached={isMoved}>
          <PageStep published={published} onClose={onClose} />
        </Step>
      )}
    </Dialog>
  );
}

interface StepProps {
  readonly title: string;
  /** By somebody who was at another one, and reads on at this title. */
  readonly isReached: boolean;
  readonly children: ReactNode;
}

function Step({ title, isReached, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isReached) heading.current?.focus();
  }, [isReached]);
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </>
  );
}
