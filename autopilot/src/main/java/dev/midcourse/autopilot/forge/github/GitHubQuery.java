package dev.midcourse.autopilot.forge.github;

import java.util.List;

/**
 * A GraphQL request to GitHub.
 *
 * @param changes whether it changes something
 */
record GitHubQuery(String name, boolean changes, String text) {
  private static final String COMMENTS =
      """
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        fullDatabaseId
        body
        createdAt
        viewerDidAuthor
        author { __typename login }
      }
      """;

  static final GitHubQuery VIEWER = read("viewer", "query { viewer { login } }");

  static final GitHubQuery REPOSITORY =
      read(
          "repository",
          """
          query($owner: String!, $name: String!) {
            repository(owner: $owner, name: $name) {
              autoMergeAllowed
              mergeQueue { id }
            }
          }
          """);

  static final GitHubQuery THREADS =
      read(
          "threads",
          """
          query($owner: String!, $name: String!, $number: Int!, $after: String) {
            repository(owner: $owner, name: $name) {
              pullRequest(number: $number) {
                headRefOid
                mergeable
                mergeStateStatus
                reviewThreads(first: 100, after: $after) {
                  pageInfo { hasNextPage endCursor }
                  nodes {
                    id
                    isResolved
                    isOutdated
                    path
                    line
                    originalLine
                    comments(first: 20) {
          """
              + COMMENTS.indent(12)
              + """
                        }
                      }
                    }
                  }
                }
              }
              """);

  static final GitHubQuery THREAD =
      read(
          "thread",
          """
          query($id: ID!, $after: String) {
            node(id: $id) {
              ... on PullRequestReviewThread {
                isResolved
                comments(first: 100, after: $after) {
          """
              + COMMENTS.indent(8)
              + """
                    }
                  }
                }
              }
              """);

  static final GitHubQuery COMMENTS_OF_CHANGE =
      read(
          "comments",
          """
          query($owner: String!, $name: String!, $number: Int!, $after: String) {
            repository(owner: $owner, name: $name) {
              pullRequest(number: $number) {
                comments(first: 100, after: $after) {
          """
              + COMMENTS.indent(8)
              + """
                    }
                  }
                }
              }
              """);

  static final GitHubQuery REVIEW_REQUESTS =
      read(
          "review requests",
          """
          query($owner: String!, $name: String!, $number: Int!) {
            repository(owner: $owner, name: $name) {
              pullRequest(number: $number) {
                state
                headRefOid
                reviewRequests(first: 100) {
                  nodes { requestedReviewer { ...reviewer } }
                }
                timelineItems(last: 50, itemTypes: [REVIEW_REQUESTED_EVENT]) {
                  nodes {
                    ... on ReviewRequestedEvent { id requestedReviewer { ...reviewer } }
                  }
                }
                reviews(last: 100) {
                  nodes { id state author { __typename login } commit { oid } }
                }
              }
            }
          }
          fragment reviewer on RequestedReviewer {
            __typename
            ... on User { login }
            ... on Bot { login }
            ... on Mannequin { login }
            ... on Team { combinedSlug }
          }
          """);

  static final GitHubQuery LANDING =
      read(
          "landing",
          """
          query($owner: String!, $name: String!, $number: Int!) {
            repository(owner: $owner, name: $name) {
              pullRequest(number: $number) {
                id
                state
                isDraft
                headRefOid
                mergeCommit { oid }
                mergeStateStatus
                mergeQueue { id }
                mergeQueueEntry { id state }
                autoMergeRequest { enabledAt }
              }
            }
          }
          """);

  static final GitHubQuery MARK_READY =
      change(
          "markPullRequestReadyForReview",
          """
          mutation($id: ID!) {
            markPullRequestReadyForReview(input: {pullRequestId: $id}) {
              pullRequest { isDraft }
            }
          }
          """);

  static final GitHubQuery RESOLVE =
      change(
          "resolveReviewThread",
          """
          mutation($id: ID!) {
            resolveReviewThread(input: {threadId: $id}) {
              thread { isResolved }
            }
          }
          """);

  static final GitHubQuery ENQUEUE =
      change(
          "enqueuePullRequest",
          """
          mutation($id: ID!, $head: GitObjectID!) {
            enqueuePullRequest(input: {pullRequestId: $id, expectedHeadOid: $head}) {
              mergeQueueEntry { id state }
            }
          }
          """);

  static final GitHubQuery AUTO_MERGE =
      change(
          "enablePullRequestAutoMerge",
          """
          mutation($id: ID!, $head: GitObjectID!, $method: PullRequestMergeMethod!) {
            enablePullRequestAutoMerge(
              input: {pullRequestId: $id, expectedHeadOid: $head, mergeMethod: $method}
            ) {
              pullRequest { autoMergeRequest { enabledAt } }
            }
          }
          """);

  /** All requests, for the check against GitHub's schema. */
  static final List<GitHubQuery> ALL =
      List.of(
          VIEWER,
          REPOSITORY,
          THREADS,
          THREAD,
          COMMENTS_OF_CHANGE,
          REVIEW_REQUESTS,
          LANDING,
          MARK_READY,
          RESOLVE,
          ENQUEUE,
          AUTO_MERGE);

  private static GitHubQuery read(String name, String text) {
    return new GitHubQuery(name, false, text);
  }

  private static GitHubQuery change(String name, String text) {
    return new GitHubQuery(name, true, text);
  }
}
