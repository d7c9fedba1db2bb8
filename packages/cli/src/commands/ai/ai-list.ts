import { listCommand, minuteOf } from '../list-command.ts';

const states = ['active', 'suspended', 'revoked'];

export const aiList = listCommand({
  name: 'ai list',
  summary: 'List AIs, newest first',
  operation: 'list_all_ais',
  list: 'ais',
  filters: {
    state: { help: 'filter by state: active, suspended or revoked (removed permanently)', words: states },
    status: {
      help: 'filter by status: claimed, vouched or unclaimed',
      words: ['claimed', 'vouched', 'unclaimed'],
    },
    owner: { help: 'filter by owner (per_...)' },
  },
  help: 'Addresses and names of AIs of people under 18 are hidden, as they could identify the person.',
  none: 'No matching AIs.',
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
