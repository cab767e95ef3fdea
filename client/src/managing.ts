import { type Annotations, annotationsOf } from './annotations.ts';
import { type CallOptions, type Connection, searchOf } from './connection.ts';
import type {
  Account,
  AccountChanges,
  AuditPage,
  AuditParameters,
  ErasePlaybackParameters,
  ErasureCounts,
  ErasureList,
  ErasuresParameters,
  Folder,
  FolderFields,
  FolderList,
  Key,
  KeyFields,
  KeyList,
  KeysParameters,
  Label,
  LabelFields,
  LabelList,
  LabelsParameters,
  Ledger,
  LedgerDay,
  LedgerParameters,
  ManageFoldersParameters,
  ManagePackagesParameters,
  ManageVideosParameters,
  Me,
  NewKey,
  NewShare,
  NewSigningKey,
  NewVideoFields,
  Package,
  PackageChanges,
  PackageFields,
  PackageList,
  Publication,
  PublicationList,
  PublicationsParameters,
  RotationFields,
  ShareFields,
  ShareList,
  SharesParameters,
  SigningKey,
  SigningKeyFields,
  SigningKeyList,
  SigningRotationFields,
  SuspectList,
  SuspectsParameters,
  ThumbnailFields,
  ThumbnailItem,
  ThumbnailsAnswer,
  Verdict,
  VerdictFields,
  Video,
  VideoChanges,
  VideoList,
  VideosImport,
  VideosImported,
  WholeVideo,
} from './interface.ts';
import { type ManagementCalls, managementCalls } from './management-calls.ts';
import { type Operators, operatorsOf } from './operators.ts';
import { type People, peopleOf } from './people.ts';
import { type Rules, rulesOf } from './rules.ts';

/** Writes may be repeated by the client where no answer came: each happens once. */
export interface Managing extends Rules, People, Operators, Annotations {
  account(options?: CallOptions): Promise<Account>;
  /** The address and country that the service sees this client come from. */
  me(options?: CallOptions): Promise<Me>;
  changeAccount(changes: AccountChanges, options?: CallOptions): Promise<Account>;
  /** A page of them, as of all lists here. */
  folders(page?: ManageFoldersParameters, options?: CallOptions): Promise<FolderList>;
  videos(parameters?: ManageVideosParameters, options?: CallOptions): Promise<VideoList>;
  video(accessKey: string, options?: CallOptions): Promise<Video>;
  packages(page?: ManagePackagesParameters, options?: CallOptions): Promise<PackageList>;
  publications(
    packageId: number,
    parameters?: Omit<PublicationsParameters, 'packageId'>,
    options?: CallOptions,
  ): Promise<PublicationList>;
  /** The packages that a video is in. */
  publicationsOf(accessKey: string, options?: CallOptions): Promise<readonly Publication[]>;
  keys(page?: KeysParameters, options?: CallOptions): Promise<KeyList>;
  labels(page?: LabelsParameters, options?: CallOptions): Promise<LabelList>;
  addLabel(fields: LabelFields, options?: CallOptions): Promise<Label>;
  /** With all values that were collected under it. */
  renameLabel(id: number, name: string, options?: CallOptions): Promise<Label>;
  deleteLabel(id: number, options?: CallOptions): Promise<void>;
  /** Links that show one view of the dashboard to whoever has them. */
  shares(page?: SharesParameters, options?: CallOptions): Promise<ShareList>;
  /** Only this answer has the link, as its `path` after the URL of the service. */
  addShare(fields: ShareFields, options?: CallOptions): Promise<NewShare>;
  revokeShare(shareId: number, options?: CallOptions): Promise<void>;
  addFolder(fields: FolderFields, options?: CallOptions): Promise<Folder>;
  renameFolder(folderId: number, folderName: string, options?: CallOptions): Promise<Folder>;
  /** Only one that is empty. */
  deleteFolder(folderId: number, options?: CallOptions): Promise<void>;
  addVideo(fields: NewVideoFields, options?: CallOptions): Promise<Video>;
  /** Adds or replaces up to 10,000 videos from CSV; its answer lists the rows that were refused. */
  importVideos(list: VideosImport, options?: CallOptions): Promise<VideosImported>;
  /** Adds the video, or makes the one that is there as given. */
  putVideo(accessKey: string, fields: WholeVideo, options?: CallOptions): Promise<Video>;
  /** Only what is named; another folderId moves it. */
  changeVideo(accessKey: string, changes: VideoChanges, options?: CallOptions): Promise<Video>;
  /** It is taken out of every package; its statistics are kept. */
  deleteVideo(accessKey: string, options?: CallOptions): Promise<void>;
  putThumbnails(
    accessKey: string,
    thumbnails: readonly ThumbnailFields[],
    options?: CallOptions,
  ): Promise<readonly ThumbnailItem[]>;
  addPackage(fields: PackageFields, options?: CallOptions): Promise<Package>;
  changePackage(id: number, changes: PackageChanges, options?: CallOptions): Promise<Package>;
  /** Puts a video into a package; its answer has the videoKey under which players report. */
  publish(packageId: number, accessKey: string, options?: CallOptions): Promise<Publication>;
  pause(packageId: number, accessKey: string, options?: CallOptions): Promise<Publication>;
  resume(packageId: number, accessKey: string, options?: CallOptions): Promise<Publication>;
  /** Takes a video out of a package; its videoKey is retired for good. */
  retire(packageId: number, accessKey: string, options?: CallOptions): Promise<void>;
  addKey(fields: KeyFields, options?: CallOptions): Promise<NewKey>;
  /** The key itself stays the same. */
  renameKey(keyId: number, name: string, options?: CallOptions): Promise<Key>;
  rotateKey(keyId: number, fields?: RotationFields, options?: CallOptions): Promise<NewKey>;
  revokeKey(keyId: number, options?: CallOptions): Promise<void>;
  /** What the tokens of signed views are checked with, without the secrets; all of them. */
  signingKeys(options?: CallOptions): Promise<readonly SigningKey[]>;
  /** Makes a secret, which only this answer shows, or registers a public key. */
  addSigningKey(fields?: SigningKeyFields, options?: CallOptions): Promise<NewSigningKey>;
  /** A new secret; tokens of the old one keep working for a while. */
  rotateSigningKey(
    signingKeyId: number,
    fields?: SigningRotationFields,
    options?: CallOptions,
  ): Promise<NewSigningKey>;
  /** Its tokens stop working. */
  deleteSigningKey(signingKeyId: number, options?: CallOptions): Promise<void>;
  /**
   * Erases playback for good: of a view, a viewer, a video, a package, before a day, or of the
   * whole account. Resolves when it is recorded; with `dryRun` it only counts.
   */
  erasePlayback(of: ErasePlaybackParameters, options?: CallOptions): Promise<ErasureCounts>;
  /** The receipts of what was erased, the newest first. */
  erasures(page?: ErasuresParameters, options?: CallOptions): Promise<ErasureList>;
  /** What became of every beacon, by day in UTC. */
  ledger(range: LedgerParameters, options?: CallOptions): Promise<readonly LedgerDay[]>;
  /** Playback that was set apart as unusual, the most playback time first. */
  suspects(parameters: SuspectsParameters, options?: CallOptions): Promise<SuspectList>;
  /** Lets it count, or not. The statistics follow before the answer. */
  decideSuspect(
    suspect: string,
    verdict: VerdictFields['verdict'],
    options?: CallOptions,
  ): Promise<Verdict>;
  /** Who changed what, newest first; `nextToken` as `pageToken` gives the next page. */
  audit(parameters?: AuditParameters, options?: CallOptions): Promise<AuditPage>;
}

export function managingOf(connection: Connection): Managing {
  const calls = managementCalls(connection);
  const { get, add, change, remove } = calls;
  const publicationPath = (packageId: number, accessKey: string) =>
    `/packages/${packageId}${videoPath(accessKey)}`;

  return {
    ...listsOf(calls),
    ...rulesOf(calls),
    ...peopleOf(calls),
    ...operatorsOf(calls),
    ...annotationsOf(calls),
    changeAccount: (changes, options) => change('PATCH', '/account', changes, options),
    addLabel: (fields, options) => add('/labels', fields, options),
    renameLabel: (id, name, options) => change('PUT', `/labels/${id}`, { name }, options),
    deleteLabel: (id, options) => remove(`/labels/${id}`, options),
    addShare: (fields, options) => add('/shares', fields, options),
    revokeShare: (id, options) => remove(`/shares/${id}`, options),
    addFolder: (fields, options) => add('/folders', fields, options),
    renameFolder: (id, folderName, options) =>
      change('PATCH', `/folders/${id}`, { folderName }, options),
    deleteFolder: (id, options) => remove(`/folders/${id}`, options),
    addVideo: (fields, options) => add('/videos', fields, options),
    importVideos: (list, options) => change('PUT', '/imports', list, options),
    putVideo: (key, fields, options) => change('PUT', videoPath(key), fields, options),
    changeVideo: (key, changes, options) => change('PATCH', videoPath(key), changes, options),
    deleteVideo: (key, options) => remove(videoPath(key), options),
    async putThumbnails(key, thumbnails, options) {
      const path = `${videoPath(key)}/thumbnails`;
      return (await change<ThumbnailsAnswer>('PUT', path, { thumbnails }, options)).thumbnails;
    },
    addPackage: (fields, options) => add('/packages', fields, options),
    changePackage: (id, changes, options) => change('PATCH', `/packages/${id}`, changes, options),
    publish: (id, key, options) => change('PUT', publicationPath(id, key), undefined, options),
    pause: (id, key, options) =>
      change('PATCH', publicationPath(id, key), { serviceAble: 'N' }, options),
    resume: (id, key, options) =>
      change('PATCH', publicationPath(id, key), { serviceAble: 'Y' }, options),
    retire: (id, key, options) => remove(publicationPath(id, key), options),
    addKey: (fields, options) => add('/keys', fields, options),
    renameKey: (id, name, options) => change('PATCH', `/keys/${id}`, { name }, options),
    rotateKey: (id, fields = {}, options) => add(`/keys/${id}/rotate`, fields, options),
    revokeKey: (id, options) => remove(`/keys/${id}`, options),
    async signingKeys(options) {
      return (await get<SigningKeyList>('/signing-keys', {}, options)).list;
    },
    addSigningKey: (fields = {}, options) => add('/signing-keys', fields, options),
    rotateSigningKey: (id, fields = {}, options) =>
      add(`/signing-keys/${id}/rotate`, fields, options),
    deleteSigningKey: (id, options) => remove(`/signing-keys/${id}`, options),
    erasePlayback: (of, options) => remove(`/playback${searchOf({ ...of })}`, options),
    async ledger({ sdate, edate }, options) {
      return (await get<Ledger>('/ledger', { sdate, edate }, options)).list;
    },
    decideSuspect: (suspect, verdict, options) =>
      change('PUT', `/suspects/${encodeURIComponent(suspect)}`, { verdict }, options),
    audit: (parameters, options) => get('/audit', parameters, options),
  };
}

type Lists =
  | ('account' | 'me' | 'folders' | 'videos' | 'video')
  | (
      | 'packages'
      | 'publications'
      | 'publicationsOf'
      | 'keys'
      | 'labels'
      | 'shares'
      | 'erasures'
      | 'suspects'
    );

function listsOf({ get }: ManagementCalls): Pick<Managing, Lists> {
  return {
    account: (options) => get('/account', {}, options),
    me: (options) => get('/me', {}, options),
    folders: (page, options) => get('/folders', page, options),
    videos: (parameters, options) => get('/videos', parameters, options),
    video: (key, options) => get(videoPath(key), {}, options),
    packages: (page, options) => get('/packages', page, options),
    publications: (id, parameters, options) => get(`/packages/${id}/videos`, parameters, options),
    async publicationsOf(key, options) {
      const path = `${videoPath(key)}/publications`;
      return (await get<PublicationList>(path, { pageSize: 1_000 }, options)).list;
    },
    keys: (page, options) => get('/keys', page, options),
    labels: (page, options) => get('/labels', page, options),
    erasures: (page, options) => get('/erasures', page, options),
    shares: (page, options) => get('/shares', page, options),
    suspects: (parameters, options) => get('/suspects', parameters, options),
  };
}

function videoPath(accessKey: string): string {
  return `/videos/${encodeURIComponent(accessKey)}`;
}
