from howsure import errors as errors
from howsure import laws as laws
from howsure._version import __version__ as __version__
from howsure.classical import Classical as Classical
from howsure.classical import classical as classical
from howsure.compare import Comparison as Comparison
from howsure.compare import compare as compare
from howsure.confusion import ConfusionMatrix as ConfusionMatrix
from howsure.digits import digits as digits
from howsure.distribution import Distribution as Distribution
from howsure.errors import (
    HowsureError as HowsureError,
)
from howsure.errors import (
    HowsureWarning as HowsureWarning,
)
from howsure.errors import (
    InconclusiveWarning as InconclusiveWarning,
)
from howsure.errors import (
    PriorShiftWarning as PriorShiftWarning,
)
from howsure.gate import Gate as Gate
from howsure.gate import assert_better as assert_better
from howsure.gate import gate as gate
from howsure.io.counting import Counts as Counts
from howsure.io.counting import count as count
from howsure.metrics import (
    Metric as Metric,
)
from howsure.metrics import (
    class_weighted_accuracy as class_weighted_accuracy,
)
from howsure.metrics import (
    class_weighted_informedness as class_weighted_informedness,
)
from howsure.metrics import (
    class_weighted_markedness as class_weighted_markedness,
)
from howsure.metrics import (
    expected_cost as expected_cost,
)
from howsure.metrics import (
    metric as metric,
)
from howsure.outlook import outlook as outlook
from howsure.plan import detect as detect
from howsure.plan import plan as plan
from howsure.planning.record import Plan as Plan
from howsure.posterior import Posterior as Posterior
from howsure.posterior import infer as infer
from howsure.predictions import Predictions as Predictions
from howsure.priors import Prior as Prior
from howsure.publish import save as save
from howsure.questions import (
    Informativeness as Informativeness,
)
from howsure.questions import (
    NaturalFrequencies as NaturalFrequencies,
)
from howsure.questions import (
    PostTest as PostTest,
)
from howsure.questions import (
    Prediction as Prediction,
)
from howsure.questions import (
    Sensitivity as Sensitivity,
)
from howsure.questions import (
    post_test as post_test,
)
from howsure.rank import rank as rank
from howsure.ranking import Ranking as Ranking
from howsure.reconstruct import Reconstruction as Reconstruction
from howsure.reconstruct import reconstruct as reconstruct
from howsure.report import Report as Report
from howsure.report import report as report
from howsure.rule_of_thumb import rule_of_thumb as rule_of_thumb
from howsure.settle import settle as settle
from howsure.statements import Probability as Probability
from howsure.stopping import stopping_rule as stopping_rule
from howsure.survey import Survey as Survey
from howsure.survey import survey as survey
