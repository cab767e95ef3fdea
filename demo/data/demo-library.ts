/** The library of the demo: an invented house that shows films, lectures and recipes. */

/** How people watch: see how-far.ts. */
export type Watching = 'clip' | 'film' | 'lecture' | 'recipe' | 'guide';

export interface DemoVideo {
  readonly title: string;
  readonly folder: string;
  readonly seconds: number;
  readonly watching: Watching;
  /** How often it is played beside the others. */
  readonly weight: number;
  /** The share of the year after which it is there. */
  readonly since: number;
  /** Of the page that plays it. */
  readonly page: string;
}

export const demoFolders = ['Films', 'Lectures', 'Recipes', 'Guides'];
export const demoPackages = ['Website', 'App', 'Learning platform'] as const;
export const demoLabels = ['audience', 'placement'];

type Line = readonly [title: string, seconds: number, weight: number, since?: number];

const films: readonly Line[] = [
  ['The harbour before sunrise', 754, 15],
  ['A walk along the river', 428, 22],
  ['Kite season', 312, 12, 0.3],
  ['Night train to the coast', 1_320, 9],
  ['Letters from the lighthouse', 1_845, 7, 0.55],
  ['What the tide leaves behind', 596, 6, 0.8],
];
const lectures: readonly Line[] = [
  ['How tides work', 2_710, 11],
  ['A short history of maps', 3_120, 8],
  ['Reading the clouds', 1_980, 9, 0.2],
  ['Why bridges sing', 2_345, 6, 0.4],
  ['Salt, trade and empires', 3_540, 5],
  ['The mathematics of knots', 2_890, 4, 0.65],
];
const recipes: readonly Line[] = [
  ['Barley soup in thirty minutes', 372, 14],
  ['Kimchi pancakes', 265, 17, 0.1],
  ['Bread without kneading', 540, 13],
  ['Plum jam, step by step', 618, 7, 0.45],
  ['Noodles from scratch', 705, 9],
];
const guides: readonly Line[] = [
  ['Plan your visit', 95, 10],
  ['Getting here by train and ferry', 140, 5],
  ['The new tickets explained', 78, 8, 0.7],
  ['Behind the scenes: moving a whale', 226, 6, 0.25],
];

/** Its file comes with the service, so that there is a film to look at. */
export const demoClip: DemoVideo = {
  ...{ title: 'Waves, a test clip', folder: 'Films', seconds: 12, watching: 'clip' },
  ...{ weight: 4, since: 0, page: 'films/waves-a-test-clip' },
};

export const demoVideos: readonly DemoVideo[] = [
  demoClip,
  ...videosOf('Films', 'film', films),
  ...videosOf('Lectures', 'lecture', lectures),
  ...videosOf('Recipes', 'recipe', recipes),
  ...videosOf('Guides', 'guide', guides),
];

function videosOf(folder: string, watching: Watching, lines: readonly Line[]): DemoVideo[] {
  return lines.map(([title, seconds, weight, since = 0]) => {
    const page = `${folder}/${title}`.toLowerCase().replace(/[^a-z/]+/g, '-');
    return { ...{ title, folder, seconds, watching, weight, since, page } };
  });
}
