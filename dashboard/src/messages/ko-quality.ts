import type { quality as english } from './en-quality.ts';

export const quality: Readonly<Record<keyof typeof english, string>> = {
  'nav.quality': '품질',
  'quality.basis': '{of}회 중 {known}회',
  'quality.basisAll': '{of}회 모두',
  'about.quality':
    '시청 {of}회 중 {known}회({share})를 기준으로 합니다. 플레이어가 대기 시간을 보고한 시청이며, 나머지는 좋은 ' +
    '것으로도 나쁜 것으로도 세지 않습니다.',
  'quality.none.title': '이 기간에는 대기 시간을 보고한 시청이 없습니다',
  'quality.none':
    '재생은 있었지만 재생을 언제 요청했고 언제 시작되었는지는 보고되지 않았습니다. 트래커는 페이지의 어떤 플레이어든 ' +
    '스스로 보고하며, hls.js는 CMCD로, 직접 만든 프로그램은 대기 비콘으로 보고할 수 있습니다.',
  'quality.none.link': '플레이어별 보고 내용',
  'quality.noneHere': '이 시청들 가운데 대기 시간을 보고한 것이 없습니다.',
  'quality.part': '제대로 시작되고 재생되었는가',
  'quality.figures': '품질 요약',
  'quality.open': '품질 자세히 보기',
  'now.quality': '제대로 시작되고 재생되었는가, {time}부터',
  'now.quality.none': '{time}부터 대기 시간을 보고하는 플레이어에서 시작된 재생이 없습니다.',
  'chart.measure': '차트의 지표',

  'measure.startupP50': '보통 시작(p50)',
  'measure.startupP50.what':
    '재생을 누른 뒤 첫 화면이 나올 때까지 걸린 시간입니다. 모든 시작의 절반은 이 시간 안에 시작됩니다(중앙값).',
  'measure.startupP95': '느린 시작(p95)',
  'measure.startupP95.what':
    '재생을 누른 뒤 첫 화면이 나올 때까지 걸린 시간입니다. 100번 중 95번은 이 시간 안에 시작되고(95번째 백분위수) ' +
    '나머지 5번은 더 오래 기다립니다. 일부 시청자에게 문제가 생기면 가장 먼저 올라가는 값입니다.',
  'measure.startupP75': '시작(p75)',
  'measure.startupP75.what':
    '재생을 누른 뒤 첫 화면이 나올 때까지 걸린 시간입니다. 100번 중 75번은 이 시간 안에 시작됩니다(75번째 백분위수).',
  'measure.startupP99': '가장 느린 시작(p99)',
  'measure.startupP99.what':
    '재생을 누른 뒤 첫 화면이 나올 때까지 걸린 시간입니다. 100번 중 99번은 이 시간 안에 시작됩니다(99번째 백분위수).',
  'measure.startupMs': '평균 시작',
  'measure.startupMs.what':
    '재생을 누른 뒤 첫 화면이 나올 때까지 걸린 평균 시간입니다. 실제로 시작된 것만 셉니다.',
  'measure.attempts': '재생 시도',
  'measure.attempts.what': '시작되었든 아니든 재생을 요청한 횟수입니다.',
  'measure.starts': '재생 시작',
  'measure.starts.what': '첫 화면까지 이어진 시도의 수입니다.',
  'measure.exitsBeforeStart': '시작 전 이탈 수',
  'measure.exitsBeforeStart.what':
    '화면이 나오기 전에 페이지를 떠나거나 닫아 포기한 시도의 수입니다.',
  'measure.exitShare': '시작 전 이탈',
  'measure.exitShare.what':
    '재생을 누른 사람 가운데 화면이 나오기 전에 페이지를 떠나거나 닫아 포기한 비율입니다. 시작이 오래 걸리면 올라갑니다.',
  'measure.startFailures': '시작 실패 수',
  'measure.startFailures.what': '화면이 나오기 전에 오류로 끝난 시도의 수입니다.',
  'measure.startFailureShare': '시작 실패',
  'measure.startFailureShare.what': '재생을 누른 사람 가운데 화면 대신 오류를 본 비율입니다.',
  'measure.failures': '실패한 시청',
  'measure.failures.what': '첫 화면 전이나 재생 도중에 오류로 끝난 시청의 수입니다.',
  'measure.failureShare': '오류로 실패',
  'measure.failureShare.what': '첫 화면 전이나 재생 도중에 오류로 끝난 시청의 비율입니다.',
  'measure.stalls': '멈춤 횟수',
  'measure.stalls.what':
    '영상이 제때 도착하지 않아 화면이 멈춘 횟수입니다. 다른 위치로 이동한 것은 세지 않습니다.',
  'measure.stallsPerHour': '시간당 멈춤',
  'measure.stallsPerHour.what': '재생 한 시간에 영상이 제때 도착하지 않아 화면이 멈춘 횟수입니다.',
  'measure.stalledViews': '멈춘 시청 수',
  'measure.stalledViews.what': '화면이 한 번이라도 멈춘 시청의 수입니다.',
  'measure.stalledShare': '멈춘 시청',
  'measure.stalledShare.what':
    '영상이 제때 도착하지 않아 화면이 한 번이라도 멈춘 시청의 비율입니다.',
  'measure.stallMs': '멈춘 시간',
  'measure.stallMs.what': '모든 시청에서 화면이 멈춰 있던 시간의 합입니다.',
  'measure.stalledTimeShare': '멈춘 시간 비율',
  'measure.stalledTimeShare.what':
    '사람들이 시청에 쓴 시간 가운데 영상이 제때 도착하지 않아 화면이 멈춰 있던 비율입니다. 1%는 한 시간에 36초입니다.',
  'measure.seekMs': '이동 후 대기',
  'measure.seekMs.what': '시청자가 다른 위치로 이동한 뒤 다시 재생될 때까지 걸린 평균 시간입니다.',
  'measure.bitrate': '비트레이트',
  'measure.bitrate.what':
    '영상 1초의 평균 데이터 양입니다. 클수록 화면이 선명합니다. 약 5,000kbit/s면 풀 HD이고 1,000이면 흐릿합니다. 연결이 ' +
    '느리면 플레이어가 낮춥니다. 이를 보고하는 플레이어만 셉니다.',
  'measure.droppedShare': '누락 프레임',
  'measure.droppedShare.what':
    '기기가 따라가지 못해 건너뛴 장면의 비율입니다. 높으면 움직임이 끊겨 보입니다.',

  'dimension.mediaHost': '미디어 호스트',
  'dimension.mediaHost.what': '영상 자체를 보낸 호스트입니다. 예를 들면 콘텐츠 전송망(CDN)입니다.',
  'dimension.connection': '연결',
  'dimension.connection.what':
    '브라우저가 평가한 시청자의 연결 속도로 slow-2g부터 4g까지입니다. 알리지 않는 브라우저도 있습니다. 4g는 유선을 포함해 ' +
    '그만큼 빠른 연결을 뜻합니다.',
  'dimension.streamType': '스트림 종류',
  'dimension.streamType.what': '주문형 영상(vod)인지 라이브 스트림(live)인지입니다.',
  'dimension.error': '오류',
  'dimension.error.what': '시청을 끝낸 오류의 코드이며 플레이어가 부르는 이름입니다.',

  'findings.title': '무엇이, 누구에게 문제인가',
  'findings.what':
    '다른 모든 시청자보다 나쁜 경험을 한 그룹을 전체에 끼친 영향(얼마나 더 나쁜지 × 몇 명인지)이 큰 순서로 보여 줍니다. ' +
    '재생 시도가 {least}회 미만인 그룹, 우연일 수 있는 차이, 문제의 {share} 미만인 것은 제외합니다. 운영체제·국가·미디어 ' +
    '호스트를 서로, 영상·플레이어·연결을 서로 비교하며 각각 가장 흔한 조합 {most}개까지 봅니다.',
  'findings.none':
    '이 시청들 가운데 눈에 띄는 문제가 없습니다. 시도가 {least}회 이상인 그룹 가운데 다른 그룹보다 뚜렷이 나쁜 것이 없습니다.',
  'findings.everybody': '모든 시청자',
  'findings.onDay': '{date}',
  'findings.size': '재생 시도 {of}회 중 {count}회',
  'findings.showDay': '이 날 보기',
  'findings.showGroup': '이 시청자만 보기',
  'findings.startup': '시작까지 {more} 더 기다림(평균 {value}, 나머지 {rest})',
  'findings.exits': '시작 전 이탈 {value}(나머지 {rest})',
  'findings.failures': '오류로 실패 {value}(나머지 {rest})',
  'findings.stalls': '재생 중 화면이 멈춘 시간 {value}(나머지 {rest})',
  'findings.cost.startup': '이 문제가 없다면 시작 대기 {share} 감소',
  'findings.cost.exits': '이 문제가 없다면 시작 전 이탈 {share} 감소',
  'findings.cost.failures': '이 문제가 없다면 실패 {share} 감소',
  'findings.cost.stalls': '이 문제가 없다면 멈춘 시간 {share} 감소',
  'findings.who.os': '{name}',
  'findings.who.country': '{name}',
  'findings.who.mediaHost': '{name}',
  'findings.who.video': '“{name}”',
  'findings.who.player': '{name}',
  'findings.who.connection': '{name} 연결',
  'findings.who': '{parts} 시청자',
  'findings.who.pair': '{one} · {other}',

  'groups.title': '그룹 비교',
  'groups.floor':
    '시도가 {least}회 미만인 그룹은 순위를 매기지 않고 끝에 회색으로 보여 줍니다. 몇 번의 시도로는 다음을 알 수 없습니다.',
  'groups.errors.none': '이 기간에 오류로 끝난 시청이 없습니다.',

  'spread.title': '시작까지 걸린 시간',
  'spread.what':
    '막대 하나는 재생을 누른 뒤 첫 화면까지 기다린 시간의 한 구간이고, 높이는 그만큼 걸린 시작의 수입니다. 오른쪽으로 갈수록 ' +
    '구간이 넓어져, 각 구간은 앞 구간의 약 1.26배에서 시작합니다. 선은 시작의 절반과 100번 중 95번이 끝난 시간입니다.',
  'spread.half': '절반: {time}',
  'spread.most': '95%: {time}',
  'spread.starts': '시작 수',
  'spread.time': '시간',
  'spread.range': '{from}~{to}',
  'spread.above': '{from} 이상',
  'spread.at': '{range}: {count}({share})',
  'spread.none': '이 기간에 시작된 재생이 없습니다.',
};
