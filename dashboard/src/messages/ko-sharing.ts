import type { sharing as english } from './en-sharing.ts';

export const sharing: Readonly<Record<keyof typeof english, string>> = {
  'share.do': '공유',
  'share.title': '공유: {title}',
  'share.what':
    '지금의 필터가 적용된 이 페이지의 링크를 만듭니다. 링크를 가진 사람은 키 없이 볼 수 있으며, 그 밖의 것은 보이지 않습니다.',
  'share.package':
    '곡선에 선택된 패키지만 공유합니다: {name}. 모든 패키지를 공유하려면 먼저 곡선에서 선택하세요.',
  'share.name': '이름 (제목으로 표시됩니다)',
  'share.days': '기간',
  'share.moving': '오늘까지 최근 {days}일',
  'share.fixed': '고정 기간: {range}',
  'share.until': '유효 기한',
  'share.sites': '삽입할 수 있는 사이트',
  'share.sites.what': '한 줄에 하나씩, 예: https://www.example.com. 비워 두면 삽입할 수 없습니다.',
  'share.create': '링크 만들기',
  'share.once':
    '링크는 한 번만 표시됩니다. 링크를 가진 사람은 누구나 볼 수 있으며, 설정의 공유에서 폐기할 수 있습니다.',
  'share.link': '링크',
  'share.frame': '삽입 코드',
  'shared.over': '볼 수 없는 링크입니다',
  'shared.over.what':
    '만료되었거나 폐기되었거나 링크가 온전하지 않습니다. 링크를 보낸 사람에게 새 링크를 요청하세요.',
  'settings.shares': '공유',
  'shares.what':
    '링크를 가진 누구에게나 한 페이지를 보여 줍니다. 새 링크는 개요와 영상 페이지에서 만들 수 있습니다.',
  'shares.name': '이름',
  'shares.shows': '내용',
  'shares.days': '기간',
  'shares.sites': '삽입 사이트',
  'shares.by': '만든 사람',
  'shares.expires': '만료',
  'shares.actions': '작업',
  'shares.none': '공유한 것이 없습니다.',
  'shares.nowhere': '없음',
  'shares.forever': '없음',
  'shares.over': '만료됨',
  'shares.video': '영상 {accessKey}',
  'shares.revoke': '폐기',
  'shares.revoke.what': '이 링크는 삽입된 곳에서도 더 이상 아무것도 보여 주지 않습니다.',
  'filter.pinned': '이 공유에 포함된 필터',
};
