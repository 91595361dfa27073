import threading

from pe_explorer.model.steps import StepRunner, run_now
from pe_explorer.progress import PartialProgress, Progress, report


class StepsRecorder:
    def __init__(self, runner):
        self.answers, self.errors, self.shares = [], [], []
        runner.done.connect(self.answers.append)
        runner.failed.connect(self.errors.append)
        runner.progressed.connect(self._hear_progress)

    def _hear_progress(self, share, phase):
        self.shares.append(share)


def thread(_):
    return threading.get_ident()


def failing(_):
    raise ValueError("no such thing")


def waiting(request):
    while True:
        report(request, 0.25)
        request.wait(0.005)


def test_steps_run_in_this_thread_and_tasks_in_the_worker(worker, qtbot):
    runner = StepRunner(worker, "a")
    heard, where = StepsRecorder(runner), []

    def steps():
        where.append((threading.get_ident(), (yield thread)))
        where.append((threading.get_ident(), (yield thread)))
        return "end"

    runner.run(steps())
    assert runner.is_busy
    qtbot.waitUntil(lambda: heard.answers == ["end"])
    assert not runner.is_busy
    assert {here for here, _ in where} == {threading.get_ident()}
    assert threading.get_ident() not in {there for _, there in where}
    assert heard.errors == []
    runner.run(each())  # without tasks it finishes immediately
    assert heard.answers == ["end", None]


def test_at_once_runs_everything_in_this_thread():
    def steps():
        return (yield lambda progress: progress), (yield thread)

    progress = Progress()
    assert run_now(steps(), progress) == (progress, threading.get_ident())
    given, _ = run_now(steps())
    assert not given.is_set()


def test_an_exception_of_a_task_is_raised_where_it_was_yielded(worker, qtbot):
    runner = StepRunner(worker, "a")
    heard = StepsRecorder(runner)

    def steps():
        try:
            yield failing
        except ValueError as error:
            return str(error)

    runner.run(steps())
    qtbot.waitUntil(lambda: heard.answers == ["no such thing"])
    runner.run(each(failing))
    qtbot.waitUntil(lambda: [str(error) for error in heard.errors] == ["no such thing"])
    assert not runner.is_busy


def each(*tasks):
    for task in tasks:  # not `yield from`, which would send the answers to the tuple
        _ = yield task


def test_cancelling_closes_the_generator_without_a_signal(worker, qtbot):
    runner, other = StepRunner(worker, "a"), StepRunner(worker, "b")
    heard, ended = StepsRecorder(runner), []

    def steps():
        try:
            yield waiting
        finally:
            ended.append(True)

    def cancelling():
        try:
            runner.cancel()
            yield thread
        finally:
            ended.append("itself")

    generators = cancelling(), steps()  # referenced, so that they are not garbage-collected
    runner.run(generators[0])
    assert (ended, worker.is_busy("a")) == (["itself"], False)
    runner.run(generators[1])
    qtbot.waitUntil(lambda: 0.25 in heard.shares)
    worker.request("view", thread)  # it does not wait for steps
    qtbot.waitUntil(lambda: not worker.is_busy("view"))
    runner.cancel()
    assert ended == ["itself", True]
    assert not runner.is_busy
    others = StepsRecorder(other)
    other.run(each(thread))
    qtbot.waitUntil(lambda: len(others.answers) == 1)  # the queue is free
    assert (heard.answers, heard.errors) == ([], [])
    runner.run(each(waiting))
    runner.run(each(thread))  # it replaces the first
    qtbot.waitUntil(lambda: len(heard.answers) == 1)
    qtbot.wait(20)
    assert (len(heard.answers), heard.errors) == (1, [])


def test_parts_add_up_to_the_whole():
    whole, shares = Progress(), []
    for done in (0.0, 0.5):
        part = PartialProgress(whole, done, 0.5)
        for inner in (0.0, 0.5):
            report(PartialProgress(part, inner, 0.5), 1.0)
            shares.append(whole.share)
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_phases_are_reported_with_the_share(worker, qtbot):
    runner, heard = StepRunner(worker, "a"), []
    runner.progressed.connect(lambda share, phase: heard.append((share, phase)))
    seen = threading.Event()

    def task(request):
        report(PartialProgress(request, 0.5, 0.5), 0.5, "Sorting")
        seen.wait(60)

    other = StepRunner(worker, "b")
    others = StepsRecorder(other)
    runner.run(each(task))
    other.run(each(thread))
    qtbot.waitUntil(lambda: bool(heard))
    seen.set()
    qtbot.waitUntil(lambda: not runner.is_busy and not other.is_busy)
    assert heard == [(0.75, "Sorting")]
    assert (others.shares, others.answers) == ([], [None])
