import { create } from '@bufbuild/protobuf';
import { AgreementChangedSchema } from '@hearth/proto/events/v1/events';
import { describe, expect, test } from '@jest/globals';
import { inWords } from '../../../test/in-words.ts';
import { knownActor } from './actor.ts';
import { agreementEvents } from './of-agreements.ts';

const agreement = '019bc0f0-a1b2-7c3d-8e4f-5a6b7c8d9e01';
const { activity, wakeUp } = agreementEvents.agreementChanged;
const changed = (what: string, more: object = {}) =>
  create(AgreementChangedSchema, { agreement, title: 'Minutes', what, status: 'open', ...more });

describe('a change to an agreement', () => {
  test('is listed for everybody who sees it', () => {
    const started = changed('started', { viewers: ['robin', 'ada'] });
    const row = activity(started, knownActor(undefined));
    expect(inWords(row)).toEqual({
      action: 'agreement.started',
      summary: 'An agreement was proposed: Minutes',
      subjects: ['robin', 'ada'],
    });
    expect(activity(changed('done'), knownActor(undefined))).toBeNull();
  });

  test('wakes its AIs when it should, with its status and the reason', () => {
    expect(wakeUp(changed('signed'))).toBeNull();
    const ended = changed('declined', { status: 'declined', why: 'expired', wakes: ['robin', 'wren'] });
    expect(wakeUp(ended)).toMatchObject({
      data: { agreement: `agr_${agreement.replaceAll('-', '')}`, status: 'declined', why: 'expired' },
      ais: ['robin', 'wren'],
    });
  });
});
