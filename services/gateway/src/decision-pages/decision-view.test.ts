import type { Decision, DecisionPerson } from '@hearth/web';
import { expect, test } from '@jest/globals';
import { valuesOf } from './decision-view.ts';

const ada = { ...{ id: 'per_ada', name: 'Ada', isViewer: true }, ...{ asked: true, spokenFor: true } };
const kit = { ...ada, id: 'per_kit', name: 'Kit', isViewer: false, guarded: true };
const soup = { ...{ question: 1, person: ada.id, name: 'Ada', answer: 'Soup' }, firm: false };

const valuesWith = (people: object[], answers: object[]) =>
  valuesOf({
    ...{ status: 'open', questions: [{ id: 1, kind: 'bring', prompt: 'What?', options: [] }] },
    ...{ people: people as DecisionPerson[], answers },
  } as unknown as Decision);

test("a guardian's form answers for both the guardian and the child, until one of them has answered", () => {
  const waits = { answered: false };
  const has = { answered: true };
  expect(
    valuesWith(
      [
        { ...ada, ...waits },
        { ...kit, ...waits },
      ],
      [],
    ),
  ).toEqual({});
  expect(
    valuesWith(
      [
        { ...ada, ...has },
        { ...kit, ...waits },
      ],
      [soup],
    ),
  ).toEqual({ for: kit.id });
  expect(
    valuesWith(
      [
        { ...ada, ...waits },
        { ...kit, ...has },
      ],
      [],
    ),
  ).toEqual({ for: ada.id });
  expect(
    valuesWith(
      [
        { ...ada, ...has },
        { ...kit, ...has },
      ],
      [soup],
    ),
  ).toEqual({ q1: 'Soup' });
});
