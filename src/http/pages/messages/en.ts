import { guides } from './en-guides.ts';

/**
 * What the pages that the service makes itself, /docs and /watch, say in English. Its names are
 * those of every catalogue; `found` is for a script.
 */
export const en = {
  ...guides,
  'docs.title': 'Documentation',
  'docs.of': '{site} documentation',
  'docs.english': 'The guides and the descriptions in the reference are in English.',
  'docs.overview': 'Overview',
  'docs.guides': 'Guides',
  'docs.reference': 'Reference',
  'docs.errors': 'Errors',
  'docs.errors.what': 'Every error code, and what to do about it.',
  'docs.openapi': 'OpenAPI document',
  'docs.search': 'Search',
  'docs.search.what': 'Topic, operation, field, error',
  'found.none': 'Nothing found',
  'found.one': '1 result',
  'found.many': '{count} results',
  'found.first': '{count} results, the first {most} shown',
  'found.failed': 'The search could not be loaded.',
  'shelf.start': 'Start',
  'shelf.ask': 'Ask',
  'shelf.reference': 'Reference',
  'shelf.operate': 'Operate',
  'shelf.trust': 'Trust',
  'shelf.background': 'Background',
  'group.statistics': 'Statistics',
  'group.video-information': 'Video information',
  'group.collecting': 'Collecting',
  'group.account': 'Account',
  'group.shares': 'Shares',
  'group.alerts-and-reports': 'Alerts and reports',
  'group.api-keys': 'API keys',
  'group.signed-views': 'Signed views',
  'group.folders': 'Folders',
  'group.videos': 'Videos',
  'group.packages': 'Packages',
  'group.dashboard': 'Dashboard',
  'group.service': 'Service',
  'watch.title': 'Watch',
  'watch.play': 'Play a video',
  'watch.what':
    'Pause, seek, change the speed, let it loop: only the time during which the picture ' +
    'really moves is counted, and one view is one play.',
  'watch.counted': 'The dashboard shows it within seconds.',
  'watch.missing': 'This service has no file of this video.',
  'watch.library': 'Choose one in the library.',
} as const;
