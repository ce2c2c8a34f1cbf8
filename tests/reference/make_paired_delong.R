# Paired and unpaired DeLong tests of R's pROC, golden values for tests/numerics/curves/test_area_difference.py:
#   Rscript tests/reference/make_paired_delong.R > tests/reference/paired_delong.json
suppressPackageStartupMessages({library(pROC); library(jsonlite)})
set.seed(20)
cases <- list()
for (sizes in list(c(8, 11), c(30, 20), c(60, 90))) {
  for (kind in c("normal", "ties")) {
    truth <- rep(c(1, 0), sizes)
    base <- rnorm(sum(sizes)) + truth
    a <- base + rnorm(sum(sizes)) * .5
    b <- base + rnorm(sum(sizes)) * .9
    if (kind == "ties") { a <- round(a); b <- round(b) }
    one <- roc(truth, a, direction = "<", levels = c(0, 1), quiet = TRUE)
    two <- roc(truth, b, direction = "<", levels = c(0, 1), quiet = TRUE)
    paired <- roc.test(one, two, method = "delong", paired = TRUE)
    cases[[length(cases) + 1]] <- list(
      truth = truth, a = a, b = b, areas = c(auc(one), auc(two)),
      z = unname(paired$statistic), p = paired$p.value,
      variance_a = var(one), variance_b = var(two), covariance = cov(one, two))
  }
}
cat(toJSON(list(source = paste("pROC", packageVersion("pROC"), "roc.test(method = \"delong\", paired = TRUE)"),
                cases = cases), digits = NA, auto_unbox = TRUE, pretty = FALSE), "\n")
