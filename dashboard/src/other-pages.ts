/** The pages that load when one of them is opened. */
export { LibraryPage } from './library/library-page.tsx';
export { LinkPage } from './links/link-page.tsx';
export { MePage } from './me/me-page.tsx';
export { NowPage } from './now/now-page.tsx';
export { QualityPage } from './quality/quality-page.tsx';
export { ServicePage } from './service/service-page.tsx';
export { SettingsPage } from './settings/settings-page.tsx';
export { SharedPage } from './shared/shared-page.tsx';
export { VideoPage } from './video/video-page.tsx';
