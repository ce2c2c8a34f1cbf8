# Areas under ROC curves and their variances by DeLong's method, of 200 random sets, as pROC computes them:
#   Rscript tests/reference/make_delong.R > tests/reference/delong.json
# DeLong, DeLong and Clarke-Pearson 1988, Biometrics 44; Robin et al. 2011, BMC Bioinformatics 12.
suppressMessages(library(pROC))
set.seed(20)
numbers <- function(x) paste0("[", paste(format(x, digits = 17, trim = TRUE, scientific = FALSE), collapse = ","), "]")
short <- function(x) paste0("[", paste(as.character(x), collapse = ","), "]")
sets <- character(200)
for (i in 1:200) {
  m <- sample(3:15, 1)
  n <- sample(3:15, 1)
  gap <- runif(1, -0.5, 3)
  digits <- sample(c(0, 1, 2), 1) # ties, some, few
  a <- round(c(rnorm(m, gap), rnorm(n)), digits)
  b <- round(0.5 * a + c(rnorm(m, gap / 2), rnorm(n)), digits)
  truth <- c(rep(1, m), rep(0, n))
  first <- roc(truth, a, levels = c(0, 1), direction = "<", quiet = TRUE)
  second <- roc(truth, b, levels = c(0, 1), direction = "<", quiet = TRUE)
  sets[i] <- sprintf(
    '{"truth":%s,"a":%s,"b":%s,"auc":%s,"variance":%s,"covariance":%s}',
    short(truth), short(a), short(b), numbers(c(auc(first), auc(second))),
    numbers(c(var(first, method = "delong"), var(second, method = "delong"))),
    numbers(cov(first, second, method = "delong"))
  )
}
cat(sprintf('{"source":"pROC %s, R %s","sets":[\n%s\n]}\n', packageVersion("pROC"), getRversion(), paste(sets, collapse = ",\n")))
