import { listCommand, minuteOf } from '../list-command.ts';

const yesOrNo = ['true', 'false'];

export const personList = listCommand({
  name: 'person list',
  summary: 'list the people of the home, the newest first',
  operation: 'list_all_people',
  list: 'people',
  filters: {
    app: { help: 'only those whom this app holds: app_...' },
    guest: {
      help: 'true: only guests, who joined with a name alone; false: only the others',
      words: yesOrNo,
    },
    suspended: { help: 'true: only those who are suspended; false: only the others', words: yesOrNo },
    deleting: { help: 'true: only those whose deletion waits; false: only the others', words: yesOrNo },
  },
  help: 'E-mail addresses and births are not shown; of a person under 18 the name is shortened and the handle left out.',
  none: 'There are no such people.',
  columns: ['PERSON', 'HANDLE', 'NAME', 'AGE', 'GUEST', 'APP', 'SINCE', 'DELETED ON', 'SUSPENDED UNTIL'],
  row: (person) => [
    person.id,
    person.handle ?? '-',
    person.name,
    person.age_band,
    person.guest ? 'yes' : 'no',
    person.app ?? '-',
    person.created_at.slice(0, 10),
    minuteOf(person.deletes_at),
    minuteOf(person.suspended_until),
  ],
});
