/** Another video or package on the same chart, as the URL has it: `beside=video:KEY`. */
import { setFilter } from '../filters/filters.ts';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { isOfQuality } from '../measures.ts';
import { usePageUrl } from '../page-url.ts';
import type { Question } from '../questions.ts';
import { useQuestion, useView } from '../statistics.ts';
import { useSightAnswered } from './after-figures.tsx';
import { chartQuestion } from './chart-question.ts';

const kinds = ['video', 'package'] as const;
type Kind = (typeof kinds)[number];
/** Those that were played most. */
const mostChoices = 20;

export function useBeside(accessKey: string | undefined) {
  const { t } = useReader();
  const { shared } = usePerson();
  const { search } = usePageUrl();
  const { view } = useView();
  const isPossible = !shared && !isOfQuality(view.measure);
  const chosen = isPossible ? readBeside(search.get('beside') ?? '') : undefined;
  const isSightAnswered = useSightAnswered();
  const enabled = isPossible && isSightAnswered;
  const videos = useQuestion(choicesOf('video'), { enabled }).data;
  const packages = useQuestion(choicesOf('package'), { enabled }).data;
  const ofVideos = (videos?.rows ?? [])
    .filter(({ video }) => video !== accessKey)
    .map(({ video = '', videoTitle }) => ({
      ...{ value: `video:${video}`, name: videoTitle || video },
      group: t('dimension.video'),
    }));
  const ofPackages = (packages?.rows ?? []).map(({ package: id = 0, packageName }) => ({
    ...{ value: `package:${id}`, name: packageName || String(id) },
    group: t('dimension.package'),
  }));
  const found = [...ofVideos, ...ofPackages];
  const value = chosen ? `${chosen.kind}:${chosen.id}` : '';
  const isListed = chosen === undefined || found.some((one) => one.value === value);
  const options = isListed ? found : [...found, { value, name: chosen.id, group: '' }];
  const name = options.find((one) => one.value === value)?.name ?? '';
  const answer = useQuestion(
    chosen ? questionOf(chosen) : chartQuestion({ ...view, compare: 'none' }, accessKey),
    { enabled: chosen !== undefined },
  );
  const rows = answer.isPlaceholderData ? undefined : answer.data?.rows;
  const other = chosen && { name, rows, error: answer.data ? null : answer.error };
  return { isPossible, value, options, other, refetch: answer.refetch };

  function choicesOf(kind: Kind): Question {
    const { from, to } = view;
    return {
      ...{ sdate: from, edate: to, measures: ['plays'], dimensions: [kind] },
      ...(kind === 'package' && { accessKey }),
      pageSize: mostChoices,
    };
  }

  /** Filtered like the page, but for what takes the place of the page's own. */
  function questionOf({ kind, id }: Beside): Question {
    const own = kind === 'video' ? undefined : accessKey;
    const filters = setFilter(view.filters, kind, id);
    return chartQuestion({ ...view, compare: 'none', filters }, own);
  }
}

interface Beside {
  readonly kind: Kind;
  readonly id: string;
}

function readBeside(text: string): Beside | undefined {
  const [, name, id = ''] = /^(video|package):(.+)$/.exec(text) ?? [];
  const kind = kinds.find((one) => one === name);
  if (kind === undefined || (kind === 'package' && !/^[1-9]\d{0,14}$/.test(id))) return undefined;
  return { kind, id };
}
