import { t } from '@hearth/i18n';
import type { Html } from '../html.ts';
import { paths } from '../paths.ts';
import { tabs } from './tabs.ts';

export type RequestTab = 'waiting' | 'settled' | 'meetings' | 'agreements' | 'rules' | 'blocked';

const pages: Readonly<Record<RequestTab, string>> = {
  waiting: paths.requests,
  settled: paths.requestsSettled,
  meetings: paths.meetings,
  agreements: paths.agreements,
  rules: paths.rules,
  blocked: paths.blocked,
};

/** The tabs of the request pages. */
export function requestTabs(here?: RequestTab): Html {
  const all = Object.entries(pages) as [RequestTab, string][];
  const shown = all.map(([tab, href]) => ({ words: t(`requests.tab.${tab}`), href }));
  return tabs(t('requests.title'), shown, here && pages[here]);
}
