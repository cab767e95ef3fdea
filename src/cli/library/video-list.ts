import { accepted } from '../../operations/refusal-faults.ts';
import { folderVideosAnswer, packageVideosAnswer } from '../../operations/video-information.ts';
import {
  type FolderVideosAnswer,
  FolderVideosRequest,
  type PackageVideosAnswer,
  PackageVideosRequest,
} from '../../wire/library/video-information.ts';
import { readParameters } from '../../wire/parameters.ts';
import type { Arguments } from '../runner/arguments.ts';
import { counted } from '../runner/counted.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Outcome, Verb } from '../verb.ts';
import { fieldOptions, readTexts } from './field-options.ts';

export const videoList: Verb = {
  words: 'video list',
  summary: 'List the videos of a folder or package; --json prints what the API returns',
  options: {
    account: accountOption,
    folder: optionalOption('Folder id', 'ID'),
    package: optionalOption('Package id; shows the videoKeys too', 'ID'),
    ...fieldOptions(FolderVideosRequest),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ videos }) => {
      const accountId = given.id('account');
      if (given.has('package')) {
        const { packageId, ...query } = readParameters(PackageVideosRequest, textsOf(given));
        const page = accepted(await videos.listPackage(accountId, packageId, query));
        return outcomeOf(packageVideosAnswer(query, page));
      }
      const { folderId, ...query } = readParameters(FolderVideosRequest, textsOf(given));
      return outcomeOf(
        folderVideosAnswer(query, accepted(await videos.listFolder(accountId, folderId, query))),
      );
    }),
};

function textsOf(given: Arguments) {
  return {
    ...readTexts(FolderVideosRequest, given),
    ...(given.has('folder') ? { folderId: given.text('folder') } : {}),
    ...(given.has('package') ? { packageId: given.text('package') } : {}),
  };
}

function outcomeOf(answer: FolderVideosAnswer | PackageVideosAnswer): Outcome {
  const { paging, ...rest } = answer.videoInfoList;
  const videos = 'folderVideoList' in rest ? rest.folderVideoList : rest.videoInfoList;
  const lines = videos.map(({ videoId, accessKey, title, ...more }) =>
    [videoId, accessKey, ...('videoKey' in more ? [more.videoKey] : []), title].join('\t'),
  );
  const { totalCount, page, totalPage } = paging;
  return {
    json: answer,
    lines: [...lines, `${counted(totalCount, 'video')}, page ${page} of ${totalPage}`],
  };
}
