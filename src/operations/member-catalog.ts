/** What of an account's catalog a member has: for an analyst less, and pinned to packages if narrowed. */
import type {
  Annotation,
  Caller,
  CatalogParts,
  PersonCaller,
  Rule,
  SavedView,
  SavedViewName,
  SavedViews,
  Share,
  SignedPerson,
} from '../catalog/catalog.ts';
import { refuse } from '../lib/result.ts';
import { Fault } from '../vocabulary/faults.ts';

/** But for what others save for themselves, the whole for keys, owners and managers. */
export function catalogSeenBy(caller: Caller, catalog: CatalogParts): CatalogParts {
  const savedViews = narrowSavedViews(caller, catalog);
  if (!('personId' in caller) || caller.role !== 'analyst') return { ...catalog, savedViews };
  const own = { ...narrowToOwn(caller, catalog), savedViews };
  const { packageIds } = caller;
  if (packageIds === undefined) return { ...catalog, ...own };
  // Whatever is not pinned here is denied: a part that is added later, too.
  return refuseOthers({ ...libraryWithin(packageIds, catalog), ...own });
}

/** As the audit names who sends something. */
export function findActorName(sender: Caller | SignedPerson): string {
  return 'personId' in sender ? `PERSON:${sender.personId}` : `KEY:${sender.keyId}`;
}

type Part = Partial<{ readonly [Name in keyof CatalogParts]: Partial<CatalogParts[Name]> }>;

/** Shares, rules and audit of an analyst: what they made themselves. */
function narrowToOwn(
  caller: PersonCaller,
  { shares, rules, audit, ...catalog }: CatalogParts,
): Pick<CatalogParts, 'shares' | 'rules' | 'audit'> {
  const { packageIds } = caller;
  const actor = findActorName(caller);
  const isWithin = (pin: Pick<Share, 'packageIds' | 'packageId'>) =>
    packageIds === undefined ||
    (pin.packageIds ?? [pin.packageId]).every((id) => id !== undefined && packageIds.includes(id));
  const isOwn = (rule: Rule) =>
    rule.createdBy === actor && isWithin({ packageIds: rule.packageIds, packageId: undefined });
  const findOwn: typeof rules.find = async (name) => {
    const rule = await rules.find(name);
    return rule && isOwn(rule) ? rule : undefined;
  };
  const missing = { alert: 'NO_ALERT', report: 'NO_REPORT' } as const;
  return {
    shares: {
      ...shares,
      list: async (accountId) => (await shares.list(accountId)).filter(isWithin),
      async create(share) {
        const { accountId, accessKey, packageId } = share;
        if (packageIds === undefined) return shares.create(share);
        if (packageId !== undefined && !packageIds.includes(packageId)) {
          return refuse({ code: 'NO_PACKAGE' });
        }
        const library = libraryWithin(packageIds, { ...catalog, shares, rules, audit });
        if (accessKey !== undefined && !(await library.videos.find(accountId, accessKey))) {
          return refuse({ code: 'NO_VIDEO' });
        }
        return shares.create({ ...share, packageIds });
      },
      async revoke(name) {
        const found = (await shares.list(name.accountId)).filter(isWithin);
        const share = found.find(({ shareId }) => shareId === name.shareId);
        if (share === undefined) return refuse({ code: 'NO_SHARE' });
        if (share.createdBy === actor) return shares.revoke(name);
        throw new Fault('FORBIDDEN', 'An analyst revokes the shares that they made themselves');
      },
    },
    rules: {
      ...rules,
      list: async (accountId, subject) => (await rules.list(accountId, subject)).filter(isOwn),
      find: findOwn,
      async create(rule) {
        requireMails(rule);
        return rules.create({ ...rule, packageIds });
      },
      async change(name, revise) {
        if (!(await findOwn(name))) return refuse({ code: missing[name.subject] });
        return rules.change(name, (rule) => {
          const changes = revise(rule);
          requireMails(changes);
          return changes;
        });
      },
      async delete(name) {
        if (!(await findOwn(name))) return refuse({ code: missing[name.subject] });
        return rules.delete(name);
      },
      async send(name, message) {
        if (!(await findOwn(name))) return refuse({ code: missing[name.subject] });
        return rules.send(name, message);
      },
    },
    audit: {
      ...audit,
      list: (accountId, query) => {
        // What they did before they were narrowed may be about other packages.
        const since = packageIds === undefined ? undefined : caller.memberSince;
        const from = since && (!query.from || query.from < since) ? since : query.from;
        if (query.actor !== undefined && query.actor !== actor) return Promise.resolve([]);
        return audit.list(accountId, { ...query, from, actor });
      },
    },
  };
}

/** A person's own, and those of the account, which an analyst does not change. */
function narrowSavedViews(caller: Caller, { savedViews }: CatalogParts): SavedViews {
  const person = 'personId' in caller ? caller : undefined;
  const seesShared = person?.packageIds === undefined;
  const isSeen = ({ personId }: SavedView) => personId !== undefined || seesShared;
  const list: SavedViews['list'] = async (accountId) =>
    (await savedViews.list(accountId, person?.personId)).filter(isSeen);
  const requireSharing = (isShared: boolean | undefined): void => {
    if (!isShared || person?.role !== 'analyst') return;
    throw new Fault('FORBIDDEN', 'Views that are shared need the role manager');
  };
  const mayChange = async ({ accountId, viewId }: SavedViewName) => {
    const view = (await list(accountId)).find((one) => one.viewId === viewId);
    requireSharing(view && view.personId === undefined);
    return view !== undefined;
  };
  const missing = refuse({ code: 'NO_VIEW' } as const);
  return {
    list,
    async create(view) {
      requireSharing(view.isShared);
      return savedViews.create(view);
    },
    async change(name, changes) {
      if (!(await mayChange(name))) return missing;
      requireSharing(changes.isShared);
      return savedViews.change(name, changes);
    },
    delete: async (name) => ((await mayChange(name)) ? savedViews.delete(name) : missing),
  };
}

function requireMails({ url }: { readonly url?: string | undefined }): void {
  if (url === undefined) return;
  throw new Fault('FORBIDDEN', 'A webhook needs the role manager: name mail addresses alone');
}

/** The library as far as it is in some packages: what is not does not exist. */
function libraryWithin(packageIds: readonly number[], catalog: CatalogParts) {
  const { accounts, labels, folders, videos, thumbnails, packages, publications } = catalog;
  const { annotations } = catalog;
  const isIn = (packageId: number) => packageIds.includes(packageId);
  const within = { within: packageIds };

  const findVideo: typeof videos.find = async (accountId, accessKey) => {
    const published = await publications.listOfVideo(accountId, accessKey);
    const isThere = published.some(({ packageId }) => isIn(packageId));
    return isThere ? videos.find(accountId, accessKey) : undefined;
  };
  const listFolders = (accountId: number) => folders.list(accountId, packageIds);

  /** Those of the account may tell of other packages. */
  const isOfThese = async (accountId: number, found: readonly Annotation[]) => {
    const videoIds = found.flatMap(({ videoId }) => videoId ?? []);
    const counts = await publications.countByVideo(accountId, videoIds, packageIds);
    return found.filter(
      ({ packageId, videoId }) =>
        (packageId !== undefined && isIn(packageId)) ||
        (videoId !== undefined && counts.has(videoId)),
    );
  };

  return {
    annotations: {
      list: async (accountId, query) =>
        isOfThese(accountId, await annotations.list(accountId, query)),
      find: async (name) => {
        const one = await annotations.find(name);
        return one && (await isOfThese(name.accountId, [one]))[0];
      },
    },
    accounts: { find: accounts.find },
    labels: { list: labels.list },
    folders: {
      list: listFolders,
      find: async (accountId, folderId) =>
        (await listFolders(accountId)).find((folder) => folder.folderId === folderId),
    },
    videos: {
      find: findVideo,
      listAll: (accountId, query) => videos.listAll(accountId, { ...query, ...within }),
      async listFolder(accountId, folderId, query) {
        const visible = await listFolders(accountId);
        if (!visible.some((folder) => folder.folderId === folderId)) {
          return refuse({ code: 'NO_FOLDER' });
        }
        return videos.listFolder(accountId, folderId, { ...query, ...within });
      },
      listPackage: async (accountId, packageId, query) =>
        isIn(packageId)
          ? videos.listPackage(accountId, packageId, query)
          : refuse({ code: 'NO_PACKAGE' }),
      findInPackage: async (accountId, packageId, accessKey) =>
        isIn(packageId) ? videos.findInPackage(accountId, packageId, accessKey) : undefined,
    },
    // By the id of a video that was found before.
    thumbnails: { list: thumbnails.list },
    packages: {
      list: async (accountId) =>
        (await packages.list(accountId)).filter(({ packageId }) => isIn(packageId)),
      find: async (accountId, packageId) =>
        isIn(packageId) ? packages.find(accountId, packageId) : undefined,
    },
    publications: {
      find: async (name) => (isIn(name.packageId) ? publications.find(name) : undefined),
      listOfVideo: async (accountId, accessKey) => {
        const all = await publications.listOfVideo(accountId, accessKey);
        return all.filter(({ packageId }) => isIn(packageId));
      },
      countByVideo: (accountId, videoIds) =>
        publications.countByVideo(accountId, videoIds, packageIds),
    },
  } satisfies Part;
}

function refuseOthers(parts: Part): CatalogParts {
  const denied = () => {
    throw new Fault('FORBIDDEN', 'Not for members who see certain packages alone');
  };
  const only = <Some extends object>(some: Some): Some =>
    new Proxy(some, {
      get: (of, name) => (name in of ? Reflect.get(of, name) : denied()),
    });
  const guarded = Object.entries(parts).map(([name, part]) => [name, only(part as object)]);
  return only(Object.fromEntries(guarded) as CatalogParts);
}
