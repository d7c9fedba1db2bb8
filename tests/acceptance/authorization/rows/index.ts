import { aisRows } from './ais.ts';
import { approvalsRows } from './approvals.ts';
import { appsRows } from './apps.ts';
import { groupsRows } from './groups.ts';
import { messagesRows } from './messages.ts';
import { notesRows } from './notes.ts';
import { peopleRows } from './people.ts';
import { requestsRows } from './requests.ts';
import type { Row } from './row.ts';
import { rulesRows } from './rules.ts';

/** Every operation that takes the id or the address of something. */
export const rows: readonly Row[] = [
  ...peopleRows,
  ...aisRows,
  ...groupsRows,
  ...notesRows,
  ...appsRows,
  ...messagesRows,
  ...approvalsRows,
  ...requestsRows,
  ...rulesRows,
];
