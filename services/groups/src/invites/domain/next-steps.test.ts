import { english, readText } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import type { Approver } from './join-state.ts';
import { nextSteps } from './next-steps.ts';

test.each<[Approver[], string | null, string]>([
  [[], null, 'You are in Walks now.'],
  [[], 'Ida', 'Ida is in Walks now.'],
  [
    ['organizer'],
    null,
    'An organizer of Walks is asked whether you may join. Once they agree, you are in; there is nothing else to do.',
  ],
  [
    ['organizer'],
    'Ida',
    'An organizer of Walks is asked whether Ida may join. Once they agree, Ida is in; there is nothing else to do.',
  ],
  [
    ['guardian'],
    null,
    'Your guardian is asked whether you may join Walks. Once they agree, you are in; there is nothing else to do.',
  ],
  [
    ['organizer', 'guardian'],
    null,
    'Your guardian is asked first whether you may join Walks. Once they agree, an organizer of the group decides.',
  ],
])('%j for %s', (waitingFor, whom, words) => {
  const { next, wording } = nextSteps('Walks', waitingFor, whom);
  expect([next, english.words(readText(wording['next'], ''))]).toEqual([words, words]);
});
