import { agreementsRows } from './agreements.ts';
import { aisRows } from './ais.ts';
import { approvalsRows } from './approvals.ts';
import { appsRows } from './apps.ts';
import { commonsRows } from './commons.ts';
import { decisionsRows } from './decisions.ts';
import { groupsRows } from './groups.ts';
import { meetingsRows } from './meetings.ts';
import { messagesRows } from './messages.ts';
import { notesRows } from './notes.ts';
import { peopleRows } from './people.ts';
import { plansRows } from './plans.ts';
import { requestsRows } from './requests.ts';
import type { Row } from './row.ts';
import { rulesRows } from './rules.ts';

/** Every operation that takes the id or address of something. */
export const rows: readonly Row[] = [
  ...peopleRows,
  ...aisRows,
  ...decisionsRows,
  ...plansRows,
  ...commonsRows,
  ...agreementsRows,
  ...groupsRows,
  ...notesRows,
  ...appsRows,
  ...meetingsRows,
  ...messagesRows,
  ...approvalsRows,
  ...requestsRows,
  ...rulesRows,
];
