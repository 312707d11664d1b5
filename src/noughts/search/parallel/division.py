"""The division of a question among workers. The search stores their answers."""

import os
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import suppress
from dataclasses import replace

from noughts.errors import WorkersFailed
from noughts.games.base import Game, Move
from noughts.search.analysis import BudgetReachedError, LimitReachedError
from noughts.search.exact.canonical import canonical_key
from noughts.search.exact.questions import ExactQuestion
from noughts.search.exact.search import ExactSearch
from noughts.search.parallel.task import QuestionResult, Task, run_task
from noughts.search.parallel.tree import QuestionNode, find_open
from noughts.text import words_of

MIN_BUDGETS = {False: 1 << 18, True: 1 << 12}
"""The minimum budget, in nodes, of a question that is divided. The key is True for questions about lines.

The nodes of questions about lines take much more work.
"""

MIN_TASKS = {False: 1 << 16, True: 1 << 10}
"""The minimum number of nodes of a task. The key is True for questions about lines."""

PARTS = 16
"""The divisor of the budget that gives the nodes of a task. Longer questions have larger tasks."""

TRIED_HERE = 16
"""The number of nodes that are tried here before a position is given to a worker. Often fewer answer it."""

LOOK_SECONDS = 0.05
"""The time to wait for workers between two checks of the stop signal."""

MAX_FAILURES = 3
"""The number of failures after which a task is at fault, not the workers."""


class Workers:
    """An *executor* for tasks, and the number of tasks that it gets at a time."""

    def __init__(self, executor: Executor, count: int | None = None) -> None:
        self.executor, self.count = executor, count or os.cpu_count() or 1


class Division:
    """Divides questions of *search* among *workers*.

    All answers are stored in *search*, which continues with them as if it had found them itself.
    """

    def __init__(self, search: ExactSearch, workers: Workers) -> None:
        self._search, self._executor, self._workers = search, workers.executor, workers.count
        self._running: dict[Future[QuestionResult], QuestionNode] = {}
        self._about: object = None  # the position of the divided questions
        self._roots: dict[ExactQuestion, QuestionNode] = {}
        self._nodes: dict[object, QuestionNode] = {}  # by position and question
        self._is_broken = False

    def ask(self, game: Game, question: ExactQuestion, budget: int) -> tuple[bool, Move | None] | None:
        """Return the answer to *question* about *game* and the deciding move; None if it is not divided.

        *budget* is the number of nodes that each worker may spend. Raises
        :class:`~noughts.search.analysis.LimitReachedError` as the search does, and
        :class:`~noughts.errors.WorkersFailed`.
        """
        if budget < MIN_BUDGETS[question.lines] or not self._can_divide(question):
            return None
        try:
            return self._divided(game, question, budget)
        finally:
            self._search.set_up(game)  # Restore the position of the search.

    def _divided(self, game: Game, question: ExactQuestion, budget: int) -> tuple[bool, Move | None] | None:
        effort = self._search.effort
        with effort.within(budget * self._workers):
            root = self._root_of(game, question)
            effort.question = question.search_question()
            while root.answer is None:
                if effort.is_over():
                    raise LimitReachedError
                self._assign_tasks(root, max(MIN_TASKS[question.lines], budget // PARTS))
                if self._running:
                    self._collect()
                elif root.answer is None:  # No question is left, or no worker.
                    return None
                self._search.report()
        for future, node in list(self._running.items()):
            if future.cancel():  # No worker has started it.
                node.is_running = False
                del self._running[future]
        return root.answer, root.best

    def _can_divide(self, question: ExactQuestion) -> bool:
        """Return True if there are workers and the game's own moves decide the *question*.

        They do not decide a question about lines if lines that are too long do not count.
        """
        return not (self._is_broken or (question.lines and "exact" in self._search.rules.facts))

    def _root_of(self, game: Game, question: ExactQuestion) -> QuestionNode:
        """Return the node of *question*, with the results of earlier tries with smaller budgets."""
        if self._about != game.key():
            self._about, self._roots, self._nodes = game.key(), {}, {}
        if question not in self._roots:
            self._roots[question] = root = self._new_node(game.copy(), question)
            root.is_cut_short = True  # The search has tried it already.
        return self._roots[question]

    def _assign_tasks(self, root: QuestionNode, nodes: int) -> None:
        """Give every idle worker a task of *nodes* nodes, as far as there are tasks."""
        while len(self._running) < self._workers and root.answer is None and not self._is_broken:
            node = find_open(root, eager=False) or find_open(root, eager=True)
            if node is None:
                return
            if node.is_cut_short:
                self._divide(node)
                continue
            node.granted = self._left(nodes)
            if node.granted <= 0:
                return
            self._submit(node)

    def _left(self, nodes: int) -> int:
        """Return how many of *nodes* nodes are left beside those that workers may still spend."""
        promised = sum(busy.granted for busy in self._running.values())
        return self._search.effort.left(promised + nodes) - promised

    def _submit(self, node: QuestionNode) -> None:
        """Give *node* to a worker."""
        known = node.question.shared_results(self._search)
        task = Task(node.game, node.question, node.granted, self._search.max_bytes, known)
        try:
            future = self._executor.submit(run_task, task)
        except RuntimeError:  # The executor was shut down or is broken.
            self._is_broken = True
        else:
            node.is_running = True
            self._running[future] = node

    def _collect(self) -> None:
        """Wait a moment for workers, and collect their results."""
        done = wait(self._running, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED).done
        # They are taken in the order in which they were handed out.
        for future in [future for future in self._running if future in done]:
            node = self._running.pop(future)
            node.is_running = False
            try:
                result = future.result()
            except BrokenExecutor:
                self._is_broken = True
            except Exception as error:
                node.failures += 1
                if node.failures == MAX_FAILURES:
                    raise WorkersFailed(words_of(error)) from error
            else:
                self._use_result(node, result)

    def _use_result(self, node: QuestionNode, result: QuestionResult) -> None:
        """Use the *result* of a worker for *node*."""
        effort, question = self._search.effort, node.question
        effort.nodes += result.nodes
        effort.worker_nodes += result.nodes
        node.work += result.nodes
        question.learn(self._search, result.results)
        if effort.question is not None and result.numbers is not None:
            effort.question = replace(effort.question, numbers=result.numbers)
        node.is_cut_short = result.answer is None and question.is_divided
        if result.answer is not None:
            self._store_answers(node.settle(result.answer, result.best))

    def _store_answers(self, settled: Iterable[QuestionNode]) -> None:
        """Store the answers of *settled* nodes in the search."""
        for node in settled:
            node.question.store_answer(self._search, node.game, bool(node.answer), node.best, node.work)

    def _divide(self, node: QuestionNode) -> None:
        """List the moves of *node* in the order of the search, and look up the known ones.

        If workers race for the question, list the runners instead.
        """
        if runners := node.question.runners(self._workers):
            node.children = {QuestionNode(node.game, runner, wants=node.wants): None for runner in runners}
            for child in node.children:
                child.parents.append(node)
            return
        children: dict[QuestionNode, Move | None] = {}
        key_of, question = canonical_key(node.game), node.question.after_move()
        others = sorted(node.game.legal_moves(), key=node.game.weight, reverse=True)
        for move in dict.fromkeys([*node.order, *others]):
            game = node.game.copy()
            game.play(move)
            key = key_of(game), question
            if key not in self._nodes:
                self._nodes[key] = self._new_node(game, question)
            child = self._nodes[key]
            children.setdefault(child, move)
            if child.answer == node.wants:
                break
        for child in children:
            child.parents.append(node)
        node.children = children
        self._store_answers(node.conclude())

    def _new_node(self, game: Game, question: ExactQuestion) -> QuestionNode:
        """Create the node of *game*, with the answer if it is known or soon found."""
        search = self._search
        node = QuestionNode(game, question, wants=question.wants_yes(search, game))
        if game.outcome is not None:
            node.answer = question.at_end(search, game)
            node.is_running = node.answer is None  # The node stays blocked, since there is nothing to search.
            return node
        node.answer = question.recall(search, game)
        if node.answer is None:
            with suppress(BudgetReachedError):
                node.answer, node.best = question.ask(search, game, max(0, self._left(TRIED_HERE)))
            if node.answer is None:
                node.order = question.move_order(search)
        return node
