import { listCommand, minuteOf } from '../list-command.ts';

/** An AI, as the home answers it to its operator. */
export interface Ai {
  id: string;
  address?: string;
  name?: string;
  state: string;
  status: string;
  owner?: string;
  created_at: string;
  last_seen?: string;
  suspended_until?: string;
  reason?: string;
}

const states = ['active', 'suspended', 'revoked'];

export const aiList = listCommand<Ai>({
  name: 'ai list',
  summary: 'list the AIs of the home, the newest first',
  path: '/v0/admin/ais',
  list: 'ais',
  filters: {
    state: { help: 'only these: active, suspended, or revoked (switched off for good)', words: states },
    status: {
      help: 'only these: claimed, vouched or unclaimed',
      words: ['claimed', 'vouched', 'unclaimed'],
    },
    owner: { help: 'only those of this person: per_...' },
  },
  help: 'An AI of a person under 18 has neither address nor name here, for these may show who they are.',
  none: 'There are no such AIs.',
  columns: ['AI', 'ADDRESS', 'STATUS', 'OWNER', 'SINCE', 'LAST SEEN', 'STATE', 'UNTIL', 'REASON'],
  row: (ai) => [
    ai.id,
    ai.address ?? '-',
    ai.status,
    ai.owner ?? '-',
    ai.created_at.slice(0, 10),
    ai.last_seen ?? '-',
    ai.state,
    minuteOf(ai.suspended_until),
    ai.reason ?? '-',
  ],
});
