import { create } from '@bufbuild/protobuf';
import { readLimits, sizesOf } from '@hearth/limits';
import { AiStatus, CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { loadComments } from '@hearth/proto-json';
import { readOperations } from '../operations/module.ts';
import { groupTools } from './grouped-tools.ts';
import { listBounds } from './list-bounds.ts';
import { createToolList, isOpen } from './tool-list.ts';
import { createTools } from './tools.ts';

// Prints how much of tools/list is left for further operations, for `npm run gen`.
const tools = [...createTools(readOperations(), () => ({}) as never).values()];
const texts = {
  comments: loadComments(),
  bounds: sizesOf(readLimits(undefined, { homeName: 'home.example' })),
};
const list = createToolList(tools, groupTools(tools).values(), texts);
for (const { as, scopes, bytes } of listBounds) {
  const caller = create(CallerSchema, {
    ...{ kind: CallerKind.AI, id: '00000000-0000-0000-0000-000000000001', scopes: [...scopes] },
    ...{ person: '00000000-0000-0000-0000-000000000002', aiStatus: AiStatus.CLAIMED },
  });
  const listed = list.short(tools.filter((tool) => isOpen(tool, caller)));
  const taken = Buffer.byteLength(JSON.stringify({ tools: listed }));
  console.log(`tools/list for ${as}: ${taken} of ${bytes} bytes, ${bytes - taken} left`);
}
