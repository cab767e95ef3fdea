/** The mails to people, as plain text in their language. */
import { isolateName } from '../../lib/values/isolated-name.ts';
import type { Language } from '../../vocabulary/languages.ts';

export interface PersonMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** One attempt, beside the request: whether it comes through is in the log, never in an answer. */
export type SendPersonMail = (mail: PersonMail) => void;

const invitationLink = {
  en:
    '\n\nOpen this link within 7 days; it works once:\n{link}\n\n' +
    'If you do not know why you got this, do nothing.',
  ko:
    '\n\n7일 안에 이 링크를 열어 주세요. 한 번만 쓸 수 있습니다.\n{link}\n\n' +
    '짐작 가는 곳이 없다면 그대로 두셔도 됩니다.',
};

const texts = {
  invitation: {
    en: [
      'You are invited to {account}',
      `You are invited to see the playback statistics of {account}.${invitationLink.en}`,
    ],
    ko: ['{account}에 초대합니다', `{account}의 재생 통계에 초대합니다.${invitationLink.ko}`],
  },
  personalInvitation: {
    en: [
      'You are invited to {account}',
      `{inviter} invites you to see the playback statistics of {account}.${invitationLink.en}`,
    ],
    ko: [
      '{account}에 초대합니다',
      `{inviter} 님이 {account}의 재생 통계에 초대합니다.${invitationLink.ko}`,
    ],
  },
  reset: {
    en: [
      'Set a new password',
      'Open this link within 30 minutes to set a new password; it works once:\n{link}\n\n' +
        'Your second factor, if you have one, stays as it is. If you did not ask for this, do ' +
        'nothing: your password still works.',
    ],
    ko: [
      '새 비밀번호 정하기',
      '30분 안에 이 링크를 열어 새 비밀번호를 정해 주세요. 한 번만 쓸 수 있습니다.\n{link}\n\n' +
        '두 번째 인증 수단은 그대로 남습니다. 요청하신 적이 없다면 그대로 두세요. ' +
        '지금 비밀번호는 그대로 쓸 수 있습니다.',
    ],
  },
  newEmail: {
    en: [
      'Confirm your email address',
      'Open this link within 30 minutes to use this address at Playmeter from now on; it works ' +
        'once:\n{link}\n\nIf you do not know why you got this, do nothing.',
    ],
    ko: [
      '이메일 주소 확인',
      '30분 안에 이 링크를 열면 앞으로 이 주소를 Playmeter에서 쓰게 됩니다. 한 번만 쓸 수 있습니다.' +
        '\n{link}\n\n짐작 가는 곳이 없다면 그대로 두셔도 됩니다.',
    ],
  },
  emailChanged: {
    en: [
      'Your email address was changed',
      'Your address at Playmeter is now {email}; this one is no longer used.\n\n' +
        'If it was not you, tell whoever runs the service at once.',
    ],
    ko: [
      '이메일 주소가 변경되었습니다',
      'Playmeter에서 쓰는 주소가 {email}(으)로 바뀌었습니다. 이 주소는 더 이상 쓰지 않습니다.\n\n' +
        '직접 바꾸지 않았다면 바로 서비스 운영자에게 알려 주세요.',
    ],
  },
  factorRemoved: {
    en: [
      'Your second factor was removed',
      'Whoever runs the service removed your second factor: from now on your password alone signs ' +
        'you in. Set a new one up under your name:\n{link}\n\n' +
        'If you did not ask for this, tell them at once.',
    ],
    ko: [
      '2단계 인증이 해제되었습니다',
      '서비스 운영자가 2단계 인증을 해제했습니다. 이제 비밀번호만으로 로그인합니다. 내 정보에서 다시 설정하세요.' +
        '\n{link}\n\n요청하지 않았다면 바로 운영자에게 알려 주세요.',
    ],
  },
  newSignIn: {
    en: [
      'New sign-in to Playmeter',
      'Somebody signed in as you:\n\n{device}\n{place}\n{at}\n\n' +
        'If it was you, do nothing. Otherwise set a new password at once, which ends all ' +
        'sessions:\n{link}',
    ],
    ko: [
      'Playmeter에 새로 로그인했습니다',
      '회원님 이름으로 로그인했습니다.\n\n{device}\n{place}\n{at}\n\n' +
        '직접 하셨다면 그대로 두세요. 아니라면 바로 새 비밀번호를 정해 주세요. 모든 세션이 ' +
        '끝납니다.\n{link}',
    ],
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<Language, readonly [string, string]>>>
>;

/** A link is ours, and a mark beside it would be a part of it. */
const valueIn = (name: string, value: string) => (name === 'link' ? value : isolateName(value));

export function writePersonMail(
  kind: keyof typeof texts,
  { to, language }: { readonly to: string; readonly language: Language },
  values: Readonly<Record<string, string>>,
): PersonMail {
  const [subject, text] = texts[kind][language].map((one) =>
    one.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueIn(name, values[name] ?? '')),
  ) as [string, string];
  return { to, subject, text: `${text}\n` };
}
