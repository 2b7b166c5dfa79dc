// Plays a review at a GitLab with gitbeaker, and prints what came back.
// Usage: node gitlab.mjs URL BRANCH HEAD
import { Gitlab } from '@gitbeaker/rest';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './types.mjs';

const [host, branch, head] = process.argv.slice(2);
const as = (user) => new Gitlab({ host, token: `${user}-token` });
const author = as('midcourse');
const bob = as('bob');
const ci = as('ci');
const project = 'team/shop';
const status = (promise) => promise.then(() => 200).catch((e) => e.cause?.response?.status);

const made = await author.MergeRequests.create(project, branch, 'main', 'Draft: Fix it', { description: 'It was broken.' });
const twice = await status(author.MergeRequests.create(project, branch, 'main', 'Again'));
const iid = made.iid;
await author.MergeRequests.show(project, iid);
const draft = await author.MergeRequests.show(project, iid);
const atDraft = await status(author.MergeRequests.merge(project, iid, { sha: head }));
const [user] = await author.Users.all({ username: 'bob' });
await author.MergeRequests.edit(project, iid, { title: 'Fix it', reviewerIds: [user.id] });
const reviewers = await author.MergeRequests.showReviewers(project, iid);
const position = {
  positionType: 'text',
  baseSha: draft.diff_refs.base_sha,
  startSha: draft.diff_refs.start_sha,
  headSha: draft.diff_refs.head_sha,
  oldPath: 'shop.txt',
  newPath: 'shop.txt',
  newLine: 2,
};
const discussion = await bob.MergeRequestDiscussions.create(project, iid, 'two is too much', { position });
for (let i = 0; i < 25; i++) await bob.MergeRequestDiscussions.create(project, iid, `remark ${i}`);
await author.MergeRequestDiscussions.addNote(project, iid, discussion.id, 'Two is needed.');
await author.MergeRequestDiscussions.resolve(project, iid, discussion.id, true);
const discussions = await bob.MergeRequestDiscussions.all(project, iid);
await author.MergeRequestNotes.create(project, iid, 'Round 1');
await ci.Commits.editStatus(project, head, 'failed', { name: 'build', ref: branch });
const red = await ci.Commits.allStatuses(project, head);
await ci.Commits.editStatus(project, head, 'success', { name: 'build', ref: branch });
const statuses = await ci.Commits.allStatuses(project, head);
const approval = await bob.MergeRequestApprovals.approve(project, iid);
const versions = await author.MergeRequests.allDiffVersions(project, iid);
const pipelines = await author.MergeRequests.allPipelines(project, iid);
const wrongHead = await status(author.MergeRequests.merge(project, iid, { sha: '0'.repeat(40) }));
const merged = await author.MergeRequests.merge(project, iid, { sha: head });
const again = await status(author.MergeRequests.merge(project, iid, { sha: head }));

const first = discussions.find((it) => it.id === discussion.id);
console.log(
  JSON.stringify({
    iid,
    twice,
    atDraft,
    draftStatus: draft.detailed_merge_status,
    reviewers: reviewers.map((it) => `${it.user.username} ${it.state}`),
    discussions: discussions.filter((it) => it.notes.some((note) => note.resolvable)).length,
    thread: first.notes.map((it) => `${it.author.username}: ${it.body}`),
    resolved: first.notes.every((it) => it.resolved),
    red: red.map((it) => `${it.name} ${it.status}`),
    statuses: statuses.map((it) => `${it.name} ${it.status}`),
    approvers: approval.approved_by.map((it) => it.user.username),
    versions: versions.map((it) => it.head_commit_sha),
    wrongHead,
    again,
    state: merged.state,
    types: check(dirname(fileURLToPath(import.meta.url)), '@gitbeaker/core', [
      ['ExpandedMergeRequestSchema', draft],
      ['ExpandedMergeRequestSchema', merged],
      ['DiscussionSchema[]', discussions],
      ['MergeRequestReviewerSchema[]', reviewers],
      ['CommitStatusSchema[]', statuses],
      ['MergeRequestDiffVersionsSchema[]', versions],
      ['PipelineSchema[]', pipelines],
      ['MergeRequestLevelMergeRequestApprovalSchema', approval],
    ]),
  }),
);
