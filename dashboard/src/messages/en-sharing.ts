/** What the dashboard says about shares, in English. */
export const sharing = {
  'share.do': 'Share',
  'share.title': 'Share: {title}',
  'share.what':
    'Makes a link that shows this page, as it is filtered now, to whoever has it. They need no ' +
    'key and see nothing else.',
  'share.package':
    'Everything in it is of the package that the curve shows: {name}. For all packages, choose ' +
    'them at the curve first.',
  'share.name': 'Name, shown as the title',
  'share.days': 'Days',
  'share.moving': 'Always up to today; days shown: {days}',
  'share.fixed': 'These days: {range}',
  'share.until': 'Works until',
  'share.sites': 'Sites that may embed it',
  'share.sites.what': 'One origin a line, such as https://www.example.com. Empty: none.',
  'share.create': 'Create the link',
  'share.once': 'It is shown only now. Whoever has it can look; revoke it under Settings, Shares.',
  'share.link': 'Link',
  'share.frame': 'To embed it',
  'shared.over': 'This link shows nothing',
  'shared.over.what':
    'It has expired, was revoked, or is not complete. Ask whoever gave it to you for a new one.',
  'settings.shares': 'Shares',
  'shares.what':
    'Links that show one page to whoever has them. New ones are made on the overview and on the ' +
    'page of a video.',
  'shares.name': 'Name',
  'shares.shows': 'Shows',
  'shares.days': 'Days',
  'shares.sites': 'Embedded on',
  'shares.by': 'Created by',
  'shares.expires': 'Expires',
  'shares.actions': 'Actions',
  'shares.none': 'Nothing is shared.',
  'shares.nowhere': 'No site',
  'shares.forever': 'Never',
  'shares.over': 'expired',
  'shares.video': 'Video {accessKey}',
  'shares.revoke': 'Revoke',
  'shares.revoke.what': 'The link shows nothing from now on, also where it is embedded.',
  'filter.pinned': 'Part of this share',
} as const;
