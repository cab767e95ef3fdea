/** What the dashboard says about the quality of playback, in English. */
export const quality = {
  'nav.quality': 'Quality',
  'quality.basis': '{known} of {of} views',
  'quality.basisAll': 'all views: {of}',
  'about.quality':
    'Based on {known} of {of} views ({share}): those whose player reports how long it waits. The ' +
    'others are left out, and count neither as good nor as bad.',
  'quality.none.title': 'No view of this period reported how long it waited',
  'quality.none':
    'Something was played, but whatever reported it does not say when playback was asked for and ' +
    'when it began. The tracker says so by itself, for any player in a page; so does hls.js by ' +
    'CMCD, and so do your own programs, by beacons with a wait.',
  'quality.none.link': 'What each player reports',
  'quality.noneHere': 'None of these views reported how long it waited.',
  'quality.part': 'Did it start, and did it run',
  'quality.figures': 'Figures of quality',
  'quality.open': 'More about quality',
  'now.quality': 'Did it start, and did it run, since {time}',
  'now.quality.none':
    'Since {time}, no player that reports how long it waits has started playback.',
  'chart.measure': 'Measure of the chart',

  'measure.startupP50': 'Typical start (p50)',
  'measure.startupP50.what':
    'How long it takes from pressing play to the first picture: half of all starts are at least ' +
    'this fast (the median).',
  'measure.startupP95': 'Slow start (p95)',
  'measure.startupP95.what':
    'How long it takes from pressing play to the first picture: 95 of 100 starts are at least this ' +
    'fast (the 95th percentile). The other five wait even longer. This is the first figure to ' +
    'rise when something is wrong for some viewers.',
  'measure.startupP75': 'Start (p75)',
  'measure.startupP75.what':
    'How long it takes from pressing play to the first picture: 75 of 100 starts are at least this ' +
    'fast (the 75th percentile).',
  'measure.startupP99': 'Slowest start (p99)',
  'measure.startupP99.what':
    'How long it takes from pressing play to the first picture: 99 of 100 starts are at least this ' +
    'fast (the 99th percentile).',
  'measure.startupMs': 'Average start',
  'measure.startupMs.what':
    'How long it takes on average from pressing play to the first picture. Only what did start ' +
    'counts.',
  'measure.attempts': 'Attempts to play',
  'measure.attempts.what': 'How often somebody asked for playback, whether or not it started.',
  'measure.starts': 'Starts',
  'measure.starts.what': 'Attempts that led to a first picture.',
  'measure.exitsBeforeStart': 'Exits before start',
  'measure.exitsBeforeStart.what':
    'Attempts that the viewer gave up before there was a picture, by leaving or closing the page.',
  'measure.exitShare': 'Exits before start (%)',
  'measure.exitShare.what':
    'Of those who pressed play, how many gave up before there was a picture, by leaving or closing ' +
    'the page. It rises when starting takes long.',
  'measure.startFailures': 'Start failures',
  'measure.startFailures.what': 'Attempts that an error ended before there was a picture.',
  'measure.startFailureShare': 'Failed to start',
  'measure.startFailureShare.what':
    'Of those who pressed play, how many saw an error in place of a picture.',
  'measure.failures': 'Failures',
  'measure.failures.what': 'Views that an error ended, before the first picture or later.',
  'measure.failureShare': 'Ended in an error',
  'measure.failureShare.what':
    'How many views an error ended, before the first picture or in the middle of the video.',
  'measure.stalls': 'Stalls',
  'measure.stalls.what':
    'How often the picture stood still because the video did not arrive fast enough. Jumping to ' +
    'another place is no stall.',
  'measure.stallsPerHour': 'Stalls an hour',
  'measure.stallsPerHour.what':
    'How often the picture stood still in an hour of playback, because the video did not arrive ' +
    'fast enough.',
  'measure.stalledViews': 'Stalled views',
  'measure.stalledViews.what': 'Views in which the picture stood still at least once.',
  'measure.stalledShare': 'Stalled views (%)',
  'measure.stalledShare.what':
    'In how many views the picture stood still at least once, because the video did not arrive ' +
    'fast enough.',
  'measure.stallMs': 'Time in stalls',
  'measure.stallMs.what': 'How long the picture stood still, all views together.',
  'measure.stalledTimeShare': 'Time stood still',
  'measure.stalledTimeShare.what':
    'For how much of the time that people spent watching the picture stood still, because the ' +
    'video did not arrive fast enough. 1% is 36 seconds in an hour.',
  'measure.seekMs': 'Wait after a jump',
  'measure.seekMs.what':
    'How long it takes on average until it plays again, after the viewer jumped to another place.',
  'measure.bitrate': 'Bitrate',
  'measure.bitrate.what':
    'How much data a second of video had on average: the more, the sharper the picture. About ' +
    '5,000 kbit/s are Full HD, 1,000 look soft. A player lowers it when the connection is slow. ' +
    'Only players that report it count.',
  'measure.droppedShare': 'Dropped frames',
  'measure.droppedShare.what':
    'How many of the single pictures of a video the device left out because it could not keep up. ' +
    'Motion then looks jerky.',

  'dimension.mediaHost': 'Media hosts',
  'dimension.mediaHost.what':
    'The host that the video itself came from, such as a content delivery network (CDN).',
  'dimension.connection': 'Connections',
  'dimension.connection.what':
    'How fast the browser rates the connection of the viewer, from slow-2g to 4g; not every ' +
    'browser says so. 4g stands for anything as fast, also cable.',
  'dimension.streamType': 'Kinds of stream',
  'dimension.streamType.what': 'Video on demand (vod) or a live stream (live).',
  'dimension.error': 'Errors',
  'dimension.error.what': 'The code of the error that ended a view, as the player calls it.',

  'findings.title': 'What is wrong, and for whom',
  'findings.what':
    'Groups of viewers who are worse off than all others, the ones that cost everybody most first: ' +
    'how much worse it is for them, times how many they are. Left out are groups of fewer than ' +
    '{least} attempts to play, differences that may be chance, and what makes up less than ' +
    '{share} of the trouble. Compared are systems, countries and media hosts with each other, and ' +
    'videos, players and connections; of each the {most} most frequent combinations.',
  'findings.none':
    'Among these views nothing stands out: no group of at least {least} attempts is clearly worse off ' +
    'than all others.',
  'findings.everybody': 'All viewers alike',
  'findings.onDay': 'On {date}',
  'findings.size': '{count} of {of} attempts to play',
  'findings.showDay': 'Show this day',
  'findings.showGroup': 'Show these viewers alone',
  'findings.startup': 'wait {more} longer for the start ({value} on average, others {rest})',
  'findings.exits': '{value} leave before the start (others {rest})',
  'findings.failures': '{value} end in an error (others {rest})',
  'findings.stalls': 'the picture stands still for {value} of playback (others {rest})',
  'findings.cost.startup': 'without this, {share} less waiting for the start',
  'findings.cost.exits': 'without this, {share} fewer exits before the start',
  'findings.cost.failures': 'without this, {share} fewer failures',
  'findings.cost.stalls': 'without this, {share} less time stood still',
  'findings.who.os': 'with {name}',
  'findings.who.country': 'in {name}',
  'findings.who.mediaHost': 'served by {name}',
  'findings.who.video': 'of “{name}”',
  'findings.who.player': 'using {name}',
  'findings.who.connection': 'on {name} connections',
  'findings.who': 'Viewers {parts}',
  'findings.who.pair': '{one} {other}',

  'groups.title': 'Compare groups',
  'groups.floor':
    'Groups of fewer than {least} attempts are not ranked: they are grey, at the end. A few ' +
    'attempts say nothing of the next ones.',
  'groups.errors.none': 'No view ended with an error in this period.',

  'spread.title': 'How long starting takes',
  'spread.what':
    'Each bar is a range of waiting times, from pressing play to the first picture; its height is ' +
    'how many starts took so long. Ranges to the right are wider: each begins at about 1.26 times ' +
    'the one before. The lines mark the time within which half of all starts, and 95 of 100, were ' +
    'done.',
  'spread.half': 'Half: {time}',
  'spread.most': '95%: {time}',
  'spread.starts': 'Starts',
  'spread.time': 'Time',
  'spread.range': '{from} to {to}',
  'spread.above': '{from} and longer',
  'spread.at': '{range}: {count} ({share})',
  'spread.none': 'Nothing started in this period.',
} as const;
