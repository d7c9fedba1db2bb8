import type { Event } from '@hearth/proto/events/v1/events';

/** The events by which somebody who is asked will not answer any more. */
export const heardTypes = ['account_deleted', 'ai_revoked', 'blocked'];

/** Somebody whom an ask does not reach any more. */
export type Ended =
  | { kind: 'person'; id: string }
  | { kind: 'ai'; id: string }
  | { kind: 'blocked'; person: string; sender: string };

/** What events say of those who are asked. */
export function endedIn({ data }: Event): Ended[] {
  switch (data.case) {
    case 'accountDeleted':
      return data.value.deleted.map((id) => ({ kind: 'person', id }));
    case 'aiRevoked':
      return [{ kind: 'ai', id: data.value.ai }];
    case 'blocked': {
      const { person, targetId } = data.value;
      // Of a whole home, or an address elsewhere, nothing waits here yet.
      return targetId === '' ? [] : [{ kind: 'blocked', person, sender: targetId }];
    }
    default:
      return [];
  }
}

/** The events after which somebody else answers in the place of others. */
export const movedTypes = ['person_changed', 'ai_changed', 'ai_claimed', 'ai_unclaimed'];

/** uuids of the people whose facts changed. */
export function changedPeople(events: readonly Event[]): string[] {
  return idsIn(events, ({ data }) => (data.case === 'personChanged' ? data.value.person?.id : undefined));
}

/** uuids of the AIs whose permissions or owner may have changed. */
export function changedAis(events: readonly Event[]): string[] {
  return idsIn(events, ({ data }) => {
    switch (data.case) {
      case 'aiChanged':
        return data.value.ai;
      case 'aiClaimed':
      case 'aiUnclaimed':
        return data.value.ai?.id;
      default:
        return undefined;
    }
  });
}

function idsIn(events: readonly Event[], of: (event: Event) => string | undefined): string[] {
  return [...new Set(events.map(of))].filter((id) => id !== undefined && id !== '') as string[];
}
