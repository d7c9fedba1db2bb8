import type { Html } from '../html.ts';
import { paths } from '../paths.ts';
import { tabs } from './tabs.ts';

export type RequestTab = 'waiting' | 'settled' | 'meetings' | 'agreements' | 'rules' | 'blocked';

const pages: Readonly<Record<RequestTab, { words: string; href: string }>> = {
  waiting: { words: 'Waiting', href: paths.requests },
  settled: { words: 'History', href: paths.requestsSettled },
  meetings: { words: 'Meetings', href: paths.meetings },
  agreements: { words: 'Agreements', href: paths.agreements },
  rules: { words: 'Rules', href: paths.rules },
  blocked: { words: 'Blocked', href: paths.blocked },
};

/** The pages that belong to what people are asked. */
export function requestTabs(here?: RequestTab): Html {
  return tabs('Requests', Object.values(pages), here && pages[here].href);
}
