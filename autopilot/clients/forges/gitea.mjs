// Plays a review at a Gitea or Forgejo with gitea-js, and prints what came back. Compares the answers with the types of
// the given client.
// Usage: node gitea.mjs URL BRANCH HEAD TYPES
import { giteaApi } from 'gitea-js';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './types.mjs';

const [url, branch, head, types] = process.argv.slice(2);
const as = (user) => giteaApi(url, { token: `${user}-token`, customFetch: fetch }).repos;
const author = as('midcourse');
const bob = as('bob');
const ci = as('ci');
const at = ['team', 'shop'];
const status = (promise) => promise.then(() => 200).catch((e) => e.status);

const version = (await giteaApi(url, { customFetch: fetch }).version.getVersion()).data.version;
const made = (await author.repoCreatePullRequest(...at, { head: branch, base: 'main', title: 'WIP: Fix it', body: 'It was broken.' })).data;
const twice = await status(author.repoCreatePullRequest(...at, { head: branch, base: 'main', title: 'Again' }));
const number = made.number;
const atDraft = await status(author.repoMergePullRequest(...at, number, { Do: 'merge', head_commit_id: head }));
await author.repoEditPullRequest(...at, number, { title: 'Fix it' });
await author.repoCreatePullReviewRequests(...at, number, { reviewers: ['bob'] });
const nobody = await status(author.repoCreatePullReviewRequests(...at, number, { reviewers: ['nobody'] }));
const asked = (await author.repoGetPullRequest(...at, number)).data;
const own = await status(author.repoCreatePullReview(...at, number, { event: 'APPROVED' }));
const review = (
  await bob.repoCreatePullReview(...at, number, {
    event: 'REQUEST_CHANGES',
    body: 'Not yet.',
    comments: [{ path: 'shop.txt', new_position: 2, body: 'two is too much' }],
  })
).data;
const comments = (await author.repoGetPullReviewComments(...at, number, review.id)).data;
for (let i = 0; i < 55; i++) await bob.repoCreatePullReview(...at, number, { event: 'COMMENT', body: `remark ${i}` });
const firstPage = (await author.repoListPullReviews(...at, number, { limit: 50 })).data;
const secondPage = (await author.repoListPullReviews(...at, number, { limit: 50, page: 2 })).data;
await bob.repoCreatePullReview(...at, number, { event: 'APPROVED' });
await ci.repoCreateStatus(...at, head, { state: 'failure', context: 'ci/build' });
await ci.repoCreateStatus(...at, head, { state: 'success', context: 'ci/build', description: 'all is well' });
const statuses = (await ci.repoListStatusesByRef(...at, head)).data;
const issues = giteaApi(url, { token: 'midcourse-token', customFetch: fetch }).repos;
const comment = (await issues.issueCreateComment(...at, number, { body: 'Round 1' })).data;
await issues.issueEditComment(...at, comment.id, { body: 'Round 2' });
const talk = (await issues.issueGetComments(...at, number)).data;
const repository = (await author.repoGet(...at)).data;
const ready = (await author.repoGetPullRequest(...at, number)).data;
const wrongHead = await status(author.repoMergePullRequest(...at, number, { Do: 'merge', head_commit_id: '0'.repeat(40) }));
const merge = await status(author.repoMergePullRequest(...at, number, { Do: 'merge', head_commit_id: head }));
const merged = (await author.repoGetPullRequest(...at, number)).data;

console.log(
  JSON.stringify({
    version,
    number,
    twice,
    atDraft,
    nobody,
    own,
    draft: made.draft,
    requested: asked.requested_reviewers.map((it) => it.login),
    comments: comments.map((it) => `${it.path}:${it.position} ${it.body}`),
    pages: [firstPage.length, secondPage.length],
    statuses: statuses.map((it) => `${it.context} ${it.status}`),
    talk: talk.map((it) => it.body),
    mergeable: ready.mergeable,
    wrongHead,
    merge,
    merged: merged.merged,
    types: check(dirname(fileURLToPath(import.meta.url)), types, [
      ['PullRequest', made],
      ['PullRequest', asked],
      ['PullRequest', merged],
      ['PullReview[]', firstPage],
      ['PullReviewComment[]', comments],
      ['CommitStatus[]', statuses],
      ['Comment[]', talk],
      ['Repository', repository],
    ]),
  }),
);
