/** How much is measured: `quick` shows that everything works, `full` is what is quoted. */
export interface Size {
  readonly name: 'quick' | 'full';
  /** Runs of each contender; their median counts. */
  readonly repetitions: number;
  readonly loadSeconds: number;
  /** Beacons in a year of the accounts that are asked, one after the other. */
  readonly beacons: readonly number[];
  /** Views in a year of the accounts that version 2 is asked about, one after the other. */
  readonly views: readonly number[];
  /** Beacons of the accounts that differ in their number of videos. */
  readonly beaconsPerVideoCount: number;
  /** Beacons of each account beside the one that is asked. */
  readonly beaconsPerOtherAccount: number;
  readonly rivalBeacons: number;
  readonly asksPerQuestion: number;
  readonly importedBeacons: number;
  /** Beacons of a year that is imported at once. */
  readonly yearOfBeacons: number;
  readonly libraryVideos: number;
  /** Of the year that the dashboard is opened on. */
  readonly demoPlays: number;
  readonly visibilityProbes: number;
  /** Of one service, each of which plays a little. */
  readonly manyAccounts: number;
}

export const quick: Size = {
  name: 'quick',
  repetitions: 1,
  loadSeconds: 2,
  beacons: [10_000, 100_000, 1_000_000],
  views: [10_000, 100_000],
  beaconsPerVideoCount: 100_000,
  beaconsPerOtherAccount: 1_000,
  rivalBeacons: 100_000,
  asksPerQuestion: 10,
  importedBeacons: 100_000,
  yearOfBeacons: 50_000,
  libraryVideos: 20_000,
  demoPlays: 5_000,
  visibilityProbes: 5,
  manyAccounts: 100,
};

export const full: Size = {
  name: 'full',
  repetitions: 5,
  loadSeconds: 8,
  beacons: [1_000_000, 10_000_000, 100_000_000],
  views: [1_000_000, 10_000_000],
  beaconsPerVideoCount: 10_000_000,
  beaconsPerOtherAccount: 100_000,
  rivalBeacons: 10_000_000,
  asksPerQuestion: 60,
  importedBeacons: 1_000_000,
  yearOfBeacons: 2_000_000,
  libraryVideos: 1_000_000,
  demoPlays: 100_000,
  visibilityProbes: 60,
  manyAccounts: 1_000,
};
