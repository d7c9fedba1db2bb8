import type { Call } from '@hearth/rpc';
import type { CourseRow } from '../db/thing-rows.ts';
import type { Member } from '../domain/member.ts';
import type { Deps } from './deps.ts';
import type { FoundGroup } from './find-group.ts';
import { gatherPeople } from './gather-people.ts';
import { readStarter } from './read-starter.ts';

/** The fields that requests for decisions and plans share. */
export interface BeginRequest {
  title: string;
  details?: string | undefined;
  /** References as the caller gave them; empty: everyone. */
  with: readonly string[];
  hiddenFrom?: string | undefined;
}

type BegunColumns = Omit<CourseRow, 'id' | 'status' | 'time_zone' | 'started_at' | 'deadline_at' | 'due_at'>;

/** The people of a new decision or plan, and its initial columns. @throws as `readStarter` and `gatherPeople` */
export async function beginCourse(
  context: Deps,
  request: BeginRequest,
  found: FoundGroup,
  call: Call,
): Promise<{ people: Member[]; columns: BegunColumns }> {
  const { group } = found;
  const starter = await readStarter(context, call.caller);
  const wanted = { with: request.with, hiddenFrom: request.hiddenFrom, starter: starter.starter_person };
  const { people, hiddenFrom } = await gatherPeople(context, found, wanted, call);
  const columns = {
    title: request.title,
    details: request.details ?? null,
    group: group.id,
    group_handle: group.handle,
    group_name: group.name,
    group_ai: group.groupAi,
    group_app: group.app || null,
    ...starter,
    hidden_from: hiddenFrom,
    revision: 1,
    settled_at: null,
    record: null,
    signed_record: null,
  };
  return { people, columns };
}
