import { listCommand, minuteOf } from '../list-command.ts';

const states = ['active', 'suspended', 'revoked'];

export const aiList = listCommand({
  name: 'ai list',
  summary: 'list the AIs of the home, the newest first',
  operation: 'list_all_ais',
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
