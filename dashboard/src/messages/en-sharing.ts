/** What the dashboard says about shares, in English. */
export const sharing = {
  'share.do': 'Share',
  'share.title': 'Share: {title}',
  'share.what':
    'Creates a link to this page with its current filters. Whoever has the link needs no ' +
    'key, and sees nothing else.',
  'share.package':
    'The share is limited to the package chosen for the curve: {name}. To share all ' +
    'packages, choose them there first.',
  'share.name': 'Name, shown as the title',
  'share.days': 'Days',
  'share.moving': 'The last {days} days, up to today',
  'share.fixed': 'These days: {range}',
  'share.until': 'Works until',
  'share.sites': 'Sites that may embed it',
  'share.sites.what': 'One origin per line, such as https://www.example.com. Empty: none.',
  'share.create': 'Create the link',
  'share.once':
    'The link is shown only once. Anyone who has it can see the page; you can revoke it in ' +
    'Settings, under Shares.',
  'share.link': 'Link',
  'share.frame': 'To embed it',
  'shared.over': 'This link shows nothing',
  'shared.over.what':
    'It has expired, was revoked, or is not complete. Ask whoever gave it to you for a new one.',
  'settings.shares': 'Shares',
  'shares.what':
    'Each link shows one page to anyone who has it. Create new links on the overview or on ' +
    'the page of a video.',
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
